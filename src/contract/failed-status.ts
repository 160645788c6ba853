/**
 * A model that has failed behind its provider, and not the request.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors
 */
const MODEL_FAILED = 424;

/** Whether a provider's status says that it or its model has failed, whatever the request was. */
export function isFailedStatus(status: number): boolean {
  return status >= 500 || status === MODEL_FAILED;
}
