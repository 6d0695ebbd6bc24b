import { z } from 'zod';

/** Settings that a worker passes to its job processes in the environment. Paths are absolute. */
const settingsSchema = z.strictObject({ config: z.string().nullable(), flow: z.string().nullable() });

export type JobSettings = z.output<typeof settingsSchema>;

const variable = 'ROOMFLOW_JOB_SETTINGS';

/** Writes the settings for job processes to the environment. */
export function passOn(settings: JobSettings, env: NodeJS.ProcessEnv): void {
  env[variable] = JSON.stringify(settings);
}

/** Reads the worker's settings. */
export function jobSettings(env: NodeJS.ProcessEnv): JobSettings {
  return settingsSchema.parse(JSON.parse(env[variable] ?? '{"config":null,"flow":null}'));
}
