/**
 * Without Swagger's own banner, with quiet code in the texts, and with only the first of an error's
 * headers: the others are on every response, which the introduction says.
 */
export const STYLE = `
  .swagger-ui .topbar, .swagger-ui .response-col_links { display: none }
  .swagger-ui .info { margin: 32px 0 }
  .swagger-ui .info .title { margin-bottom: 16px }
  .swagger-ui .scheme-container { padding: 16px 0 }
  .swagger-ui .renderedMarkdown li { font-size: 14px; margin: 4px 0 }
  .swagger-ui .renderedMarkdown code, .swagger-ui .markdown code {
    color: inherit; font-size: 13px; font-weight: 400; padding: 1px 4px;
  }
  .swagger-ui .parameters-col_name { min-width: 200px }
  .swagger-ui .headers .header-col { font-weight: 400 }
  .swagger-ui .response:not([data-code^='2']) .headers-wrapper { display: none }
  .swagger-ui .response:is(
    [data-code='401'], [data-code='429'], [data-code='502'],
    [data-code='503'], [data-code='504'], [data-code='529']
  ) .headers-wrapper { display: block }
  .swagger-ui .response:not([data-code^='2']) .headers tbody tr:nth-child(n + 2) { display: none }
`;
