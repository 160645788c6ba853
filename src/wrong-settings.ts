import { type Environment } from './config/environment.js';
import { ConfigError, readSettings } from './config/read-config.js';
import { buildCatalogue } from './models/catalogue.js';
import { readModelsText } from './models/models-text.js';
import { ownProvider } from './providers/own-provider.js';
import { PROVIDERS } from './providers/providers.js';
import { loadPrior } from './routing/prior.service.js';

/**
 * What is wrong with a start: what has ended it, and whatever the settings and the files that they name
 * would end the next ones with.
 */
export function everyProblem(env: Environment, found: ConfigError): ConfigError {
  const { config, problems: ofSettings } = readSettings(env);
  const problems = [...ofSettings, ...found.problems];
  const noting = <T>(look: () => T): T | undefined => {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const { modelsFile, routerPriorFile } = config;
  const text = noting(() => (modelsFile === undefined ? undefined : readModelsText(modelsFile)));
  noting(() => buildCatalogue({ providers: PROVIDERS, ownProvider }, config, text, new Date()));
  noting(() => loadPrior(routerPriorFile));
  return new ConfigError([...new Set(problems)]);
}
