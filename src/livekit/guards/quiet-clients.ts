/**
 * `openai` 6.49.0: its client prints a reply's chunk that is not JSON, including its words. Turns that off unless the environment sets a level.
 */
export function quietClients(env: NodeJS.ProcessEnv): void {
  env['OPENAI_LOG'] ??= 'off';
}
