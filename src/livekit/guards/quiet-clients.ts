/**
 * `openai` 6.49.0: its client prints a chunk of a reply that is not JSON as it came, with the words in it. A level that the environment
 * sets stays.
 */
export function quietClients(env: NodeJS.ProcessEnv): void {
  env['OPENAI_LOG'] ??= 'off';
}
