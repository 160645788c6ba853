import { type Command } from './command.js';

/** Starts the gateway, as `npm start` does. */
export const SERVE: Command = {
  name: 'serve',
  summary: 'Start the gateway',
  parameters: [],
  options: {},
  run: async (_given, { serve }) => {
    await serve();
    return undefined;
  },
};
