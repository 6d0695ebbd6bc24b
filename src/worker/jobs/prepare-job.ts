import { resolve } from 'node:path';
import { type AgentConfig, beginsClassic, type OpenedConfig, openConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import { connected, type ConnectedConfig } from '../../config/connected-config.ts';
import { systemClock } from '../../system.ts';
import type { Store } from '../../model/ports/store.ts';
import { openCallStore } from '../calls/call-store.ts';
import {
  createParticipantRecogniser,
  type ParticipantRecogniser,
} from '../../livekit/speech/participant-recogniser.ts';
import { type CallModels, openModels } from '../open-models.ts';
import type { JobSettings } from './job-settings.ts';
import type { WorkerLog } from '../worker-log.ts';

/** The parts of a job that are created before its call. */
export interface PreparedJob {
  readonly config: OpenedConfig;
  /** The configuration with the tools of its MCP servers, to which this process connects while it waits for a call. */
  readonly servers: Promise<ConnectedConfig>;
  readonly models: CallModels;
  /** The store of calls; null if each call ends with its process. */
  readonly store: Store | null;
  /** Opens a recogniser for another participant of the room; null if the call has none. */
  openEar(): Promise<ParticipantRecogniser | null>;
  /** Returns the flow of a name, or the worker's flow; null for the prompt. Throws `flow-unknown`. */
  flowOf(name: string | undefined): Promise<FlowSource | null>;
}

/** Reads the configuration and opens the models before there is a call. */
export async function prepareJob(
  settings: JobSettings,
  env: NodeJS.ProcessEnv,
  logger: WorkerLog,
): Promise<PreparedJob> {
  const config = settings.config === null ? {} : await openConfig(settings.config);
  // Not awaited: LiveKit ends a process that takes long to prepare. The call awaits it.
  const servers = connected(config, { env, clock: systemClock, note: (note) => logger.warn(note, 'mcp') });
  servers.catch(() => undefined);
  const models = await openModels(config, env, logger);
  const store = await openCallStore(config, env, () => undefined); // The worker has reported it.
  const openEar = async (): Promise<ParticipantRecogniser | null> => {
    if (models.stt === undefined) return null;
    const { stt, vad } = await openModels(config, env, logger);
    return stt === undefined ? null : createParticipantRecogniser(stt, vad);
  };
  return { config, servers, models, store, openEar, flowOf: (name) => flowOf(config, settings.flow, name) };
}

/** Returns the flow that a worker runs for a name; null for the prompt. The runner checks the exports of a TypeScript file. */
export async function flowOf(
  config: AgentConfig,
  file: string | null,
  name: string | undefined,
): Promise<FlowSource | null> {
  const { flows = {}, initialFlow } = config;
  if (name === undefined && file !== null) return (await openFlow(file)) as FlowSource;
  if (name === undefined && beginsClassic(config)) return null;
  const wanted = name ?? initialFlow ?? Object.keys(flows)[0];
  if (wanted === undefined)
    throw new FlowError('flow-missing', 'there is no flow. Give --flow FILE, or --config FILE with flows or a prompt.');
  const flow = Object.hasOwn(flows, wanted) ? flows[wanted] : undefined;
  if (flow === undefined)
    throw new FlowError(
      'flow-unknown',
      `the job's metadata names a flow that the configuration does not have. It has: ${Object.keys(flows).join(', ') || 'none'}.`,
    );
  return typeof flow === 'string' ? ((await openFlow(resolve(flow))) as FlowSource) : flow;
}
