import { FlowError } from '../../../model/errors.ts';

const placeholder = /\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;

/** Fills in the environment variables of a text. Throws `config-invalid` for a missing one. */
export function withEnv(text: string, place: string, env: NodeJS.ProcessEnv): string {
  return text.replaceAll(placeholder, (_whole, name: string) => envValue(name, place, env));
}

/** Returns the names of the environment variables in a text. */
export function envNames(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Returns an environment variable. Throws `config-invalid` if it is not set. */
export function envValue(name: string, place: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new FlowError(
    'config-invalid',
    `${place}: the environment variable ${name} is not set. Set it before the start.`,
  );
}
