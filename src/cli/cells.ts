import { type Cell, type Table } from './command.js';

/** The fields of one thing, a row each. */
export function fieldTable(rows: readonly (readonly [string, Cell])[]): Table {
  return { columns: ['FIELD', 'VALUE'], rows };
}

/** The models that an account or a key may use. */
export function modelsCell({ models }: { readonly models: readonly string[] | null }): string {
  return models?.join(',') ?? 'all';
}

/** Whether an account or a key is accepted. */
export function stateCell({ disabled }: { readonly disabled: boolean }): string {
  return disabled ? 'disabled' : 'enabled';
}
