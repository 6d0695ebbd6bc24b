import { z } from 'zod';

/** The settings that a worker passes to the processes of its jobs by the environment. Paths are absolute. */
const settingsSchema = z.strictObject({ config: z.string().nullable(), flow: z.string().nullable() });

export type JobSettings = z.output<typeof settingsSchema>;

const variable = 'ROOMFLOW_JOB_SETTINGS';

/** Writes the settings where the processes of jobs find them. */
export function passOn(settings: JobSettings, env: NodeJS.ProcessEnv): void {
  env[variable] = JSON.stringify(settings);
}

/** Reads what the worker wrote. */
export function jobSettings(env: NodeJS.ProcessEnv): JobSettings {
  return settingsSchema.parse(JSON.parse(env[variable] ?? '{"config":null,"flow":null}'));
}
