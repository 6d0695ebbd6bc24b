import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineCommand } from 'citty';
import type { OpenedConfig } from '../../config/config.ts';
import { missingSecrets } from '../../config/missing-secrets.ts';
import { FlowError } from '../../model/errors.ts';
import { unheardWords } from '../../livekit/realtime/transcription-check.ts';
import { speechReadiness } from '../../offline/helper/readiness.ts';
import { systemClock } from '../../system.ts';
import { openCallStore } from '../../worker/calls/call-store.ts';
import { type CallModels, openModels } from '../../worker/open-models.ts';
import { reachServer } from '../../worker/reach-server.ts';
import { assertFree, healthAddress, isHiddenFromProbes } from '../../worker/health-address.ts';
import { defaultDrainTimeoutMs, jobEndMs } from '../../worker/serve.ts';
import { serverAddress } from '../../worker/server-address.ts';
import { trunkOf } from '../../worker/transfers/open-transfers.ts';
import { startLogging } from '../../worker/worker-log.ts';
import { paint, print } from '../output.ts';
import { checkSource, configFile, openConfig } from '../flows/sources.ts';

export const doctorCommand = defineCommand({
  args: { config: { type: 'string', description: 'The configuration. Default: ./agent.config.ts if it exists.' } },
  run: async ({ args }) => {
    process.exitCode = (await examine(args.config)) ? 0 : 1;
  },
});

/** `null` if all is well, else the fault with its remedy. */
type Finding = string | null;

/** Prints a line for each requirement of a worker; returns true if none fails. */
async function examine(file: string | undefined): Promise<boolean> {
  let isSound = true;
  let config: OpenedConfig = {};
  const say = (level: 'ok' | 'warn' | 'fail', name: string, line: string): void => {
    if (level === 'fail') isSound = false;
    const style = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
    print(`${paint(style[level], level.padEnd(5))} ${name.padEnd(18)} ${line}`.trimEnd());
  };
  const tell = async (name: string, level: 'warn' | 'fail', look: () => Promise<Finding> | Finding, fine = '') => {
    const finding = await findingOf(look);
    say(finding === null ? 'ok' : level, name, finding ?? fine);
  };

  await tell('Node', 'fail', nodeFinding, process.versions.node);
  for (const [name, range] of Object.entries(neededPeers))
    await tell(name, 'fail', () => peerFinding(name, range), installedVersion(name) ?? '');
  await tell('configuration', 'fail', async () => {
    const found = configFile(file);
    if (found === undefined) return null;
    config = (await openConfig(found)) ?? {};
    return await flowsFinding(config);
  });
  for (const [name, without] of Object.entries(keys))
    await tell(name, 'warn', () => ((process.env[name] ?? '') === '' ? `is not set: ${without}.` : null), 'is set');
  await tell('secrets', 'fail', () => secretsFinding(config));
  const speech = speechReadiness();
  await tell('offline voice', 'warn', () => speech.voice);
  await tell('offline hearing', 'warn', () => speech.recognition);
  let models: CallModels | null = null;
  await tell('models', 'fail', async () => {
    models = await openModels(config, process.env, startLogging('error', false));
    return null;
  });
  await tell("caller's words", 'warn', () => (models === null ? null : unheardWords(models)));
  await tell('LiveKit server', 'fail', async () => {
    await reachServer(serverAddress(process.env), 1, systemClock);
    return null;
  });
  const { worker = {} } = config;
  const { host, port } = healthAddress(worker);
  await tell('health port', 'fail', async () => {
    await assertFree(host, port);
    return null;
  });
  const probed = `answers at http://${host}:${port}/, 200 while the worker is well`;
  await tell(
    'health probes',
    'warn',
    () => probesFinding(host),
    port === 0 ? 'health is not served: healthPort is 0' : probed,
  );
  say('ok', 'SIGTERM', graceLine(worker.drainTimeoutMs ?? defaultDrainTimeoutMs));
  await tell(
    'room access',
    'warn',
    () => roomFinding(worker),
    'participants reach the session only by speech, text and keys',
  );
  await tell('traces', 'warn', tracesFinding, 'contain no prompts, transcripts or arguments');
  await tell('telephone trunk', 'warn', () => trunkFinding(config), 'is set: the agent can dial people');
  const choice = config.store ?? process.env['ROOMFLOW_STORE'] ?? '';
  const isOptional = choice === '' || choice === 'memory';
  await tell('store', isOptional ? 'warn' : 'fail', () => storeFinding(config), 'opens: a call outlives its process');
  return isSound;
}

/** A missing secret fails at the first call of a tool or the first delivery, so it is reported here. */
function secretsFinding(config: OpenedConfig): Finding {
  const missing = missingSecrets(config, process.env);
  return missing.length === 0 ? null : `not set: ${missing.join(', ')}. Set these environment variables.`;
}

/** In a container, probes come from outside. Whether this is a container is only a guess. */
function probesFinding(host: string): Finding {
  if (!isHiddenFromProbes(host, process.env)) return null;
  return `this is a container, and its probes cannot reach ${host}. Set worker.healthHost to 0.0.0.0.`;
}

/** Returns the grace period, in seconds, that an orchestrator must give a stopping worker. */
function graceLine(drainTimeoutMs: number): string {
  const seconds = Math.ceil((drainTimeoutMs + jobEndMs) / 1_000) + 5;
  const drain = Math.round(drainTimeoutMs / 1_000);
  return `calls may continue for ${drain} s (worker.drainTimeoutMs): set the grace period to ${seconds} s`;
}

function roomFinding({ remoteSession, showFlow }: NonNullable<OpenedConfig['worker']>): Finding {
  if (remoteSession === true)
    return 'worker.remoteSession lets the caller’s client read prompt, tools and history, and inject turns past the hooks.';
  return showFlow === true ? 'worker.showFlow shows the names of flow and node to all participants of the room.' : null;
}

function tracesFinding(): Finding {
  const allowed = process.env['LIVEKIT_TELEMETRY_ALLOW_PII'] ?? '0';
  if (/^(0|false|no|off)$/i.test(allowed.trim())) return null;
  return 'LIVEKIT_TELEMETRY_ALLOW_PII exports prompts, transcripts and arguments.';
}

function trunkFinding(config: OpenedConfig): Finding {
  if (trunkOf(config, process.env) !== undefined) return null;
  return 'is not set: warm transfers fail, and no telephone is called. Set calls.trunk or LIVEKIT_SIP_TRUNK.';
}

/** The replacement that a worker uses if a key is not set. */
const keys = {
  OPENAI_API_KEY: 'the agent follows rules instead of a model',
  DEEPGRAM_API_KEY: 'OpenAI transcribes speech if its key is set, else the offline stack',
};

/** The peer packages that each worker loads, with the required version prefix. */
const neededPeers = { '@livekit/agents': '1.9.', '@livekit/rtc-node': '0.13.' };

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return null;
  return `${process.versions.node} is too old: install 20.12 or newer from nodejs.org.`;
}

function peerFinding(name: string, range: string): Finding {
  const version = installedVersion(name);
  if (version?.startsWith(range) === true) return null;
  return `${version ?? 'nothing'} is installed, ${range}x is needed: npm install ${name}@${range}x`;
}

function installedVersion(name: string): string | null {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (!existsSync(join(folder, 'package.json')) || packageIn(folder).name !== name) {
      if (folder === dirname(folder)) return null;
      folder = dirname(folder);
    }
    return packageIn(folder).version ?? null;
  } catch {
    return null;
  }
}

function packageIn(folder: string): { readonly name?: string; readonly version?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string }; // Written by npm.
}

async function flowsFinding(config: OpenedConfig): Promise<Finding> {
  const broken: string[] = [];
  for (const [name, source] of Object.entries(config.flows ?? {})) {
    const { graph, tasks } = await checkSource(source, config);
    if (graph === null && tasks === null) broken.push(name);
  }
  if (broken.length === 0) return null;
  return `does not compile: ${broken.join(', ')}. Run "roomflow check" for details.`;
}

/**
 * Opens the store as a worker would and reads from it. A store object of the configuration is left open, because the
 * user owns it.
 */
async function storeFinding(config: OpenedConfig): Promise<Finding> {
  let missing = 'calls are stored in memory and end with their process: set store or ROOMFLOW_STORE.';
  const store = await openCallStore(config, process.env, (reason) => (missing = reason));
  if (store === null) return missing;
  try {
    await store.sessions.list({ limit: 1 });
  } finally {
    if (typeof config.store !== 'object') await store.close();
  }
  return null;
}

/** Returns the message of a user error; throws any other error. */
async function findingOf(look: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof FlowError) return error.message;
    throw error;
  }
}
