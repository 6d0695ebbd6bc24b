import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { SIPDispatchRuleInfo, SIPInboundTrunkInfo, SIPOutboundTrunkInfo } from 'livekit-server-sdk';
import { parse, parseAllDocuments } from 'yaml';

import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { folderOf, projectFolder } from '../cli/run-cli.ts';
import { buildContexts, contextFiles, copiedBy, copyInto, interpolated, stacks, stepsOf } from './build-context.ts';

const contexts = buildContexts().map((context) => [relative(projectFolder, context), context] as const);

describe.each(contexts)('the build context %s', (_name, context) => {
  it('has every file that its Dockerfile copies', () => {
    const sources = stepsOf(context).flatMap((step) => ('copy' in step ? [copiedBy(step.copy, context)] : []));
    // A pattern may match nothing: it is there for a file that a reader can add.
    const missing = sources.flatMap((each) =>
      [...each].flatMap(([source, files]) => (files.length === 0 && !source.includes('*') ? [source] : [])),
    );
    expect(missing).toEqual([]);
    expect(sources.map((each) => [...each.values()].flat().length === 0)).not.toContain(true);
  });

  it('has the files of each npm command, before the command runs', () => {
    const here = new Set<string>();
    const missing: string[] = [];
    for (const step of stepsOf(context)) {
      if ('copy' in step) for (const name of [...copiedBy(step.copy, context).values()].flat()) here.add(name);
      if (!('run' in step) || !step.run.startsWith('npm ')) continue;
      const needed = step.run.startsWith('npm ci') ? ['package.json', 'package-lock.json'] : ['package.json'];
      missing.push(...needed.filter((name) => !here.has(name)).map((name) => `${step.run}: ${name}`));
    }
    expect(missing).toEqual([]);
  });

  it('installs what its files import, in the releases that this package is tested with', () => {
    const own = manifest(join(projectFolder, 'package.json'));
    const { dependencies = {} } = manifest(join(context, 'package.json'));
    const tested: Readonly<Record<string, string>> = { ...own.devDependencies, [own.name]: own.version };
    for (const [name, version] of Object.entries(dependencies)) expect([name, tested[name]]).toEqual([name, version]);
    const imported = contextFiles(context)
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .flatMap((name) => [...readFileSync(join(context, name), 'utf8').matchAll(/ from '([^'.][^']*)'/g)])
      .map(([, module = '']) => module)
      .filter((module) => !module.startsWith('node:'));
    expect(imported.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
    const needed = Object.keys(own.peerDependencies ?? {}).filter(
      (name) => own.peerDependenciesMeta?.[name]?.optional !== true,
    );
    expect(needed.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  });
});

test('every file and folder that a compose file names stands beside it', () => {
  const missing = stacks().flatMap(({ folder, services }) =>
    Object.entries(services).flatMap(([name, { build, volumes = [] }]) => {
      const paths = volumes.map((one) => one.split(':')[0] ?? '').filter((path) => path.startsWith('.'));
      const dockerfiles = build === undefined ? [] : [join(build, 'Dockerfile')];
      return [...paths, ...dockerfiles].filter((path) => !existsSync(join(folder, path))).map((path) => [name, path]);
    }),
  );
  expect(stacks()).not.toEqual([]);
  expect(missing).toEqual([]);
});

test('the commands of the stack start from the files of the image, and no alert fires on a stack that rests', async ({
  skip,
}) => {
  skip(whyNoSqlite() !== null);
  const [stack] = stacks();
  if (stack === undefined) throw new Error('there is no stack');
  const livekit = await refusingServer();
  const built = Object.entries(stack.services).filter(([, { build }]) => build !== undefined);
  const runs = new Map(
    built.map(([name, { build = '', command, environment = {} }]) => {
      const context = join(stack.folder, build);
      const folder = imageOf(context);
      const env = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, interpolated(value, secrets)]),
      );
      const given =
        command ??
        stepsOf(context)
          .flatMap((step) => ('command' in step ? [step.command] : []))
          .at(-1) ??
        [];
      const words = typeof given === 'string' ? given.split(' ') : given;
      const here = { ...env, LIVEKIT_URL: livekit, ROOMFLOW_STORE: `sqlite:${join(folder, 'calls.db')}` };
      return [name, start([...words, ...(words.at(-1) === 'serve' ? ['--port', '0'] : [])], folder, here)] as const;
    }),
  );
  // Flows, configuration, models and store are sound if the server is what stops them.
  for (const name of ['worker', 'supervisor'])
    expect([name, await runs.get(name)?.over]).toMatchObject([name, expect.stringContaining('rejects these keys')]);

  const url = (await runs.get('serve')?.line(/"url":"([^"]+)"/)) ?? '';
  const scrape = parse(readFileSync(join(stack.folder, 'prometheus.yaml'), 'utf8')) as Scrape; // This project's own.
  const hosts = scrape.scrape_configs.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets));
  expect(hosts.filter((host) => !Object.hasOwn(stack.services, host.split(':')[0] ?? ''))).toEqual([]);
  const { port } = new URL(url);
  const answers = await Promise.all(hosts.map((host) => scraped(port, host)));
  expect(answers.map(({ status }) => status)).toEqual(hosts.map(() => 200));
  const { rules } = readRules(join(stack.folder, 'alerts.yaml'));
  expect(rules.filter((rule) => isFiring(rule.expr, answers[0]?.text ?? '')).map(({ alert }) => alert)).toEqual([]);
  // With nothing to scrape one of them does fire: the same reading of the rules finds it.
  expect(rules.filter((rule) => isFiring(rule.expr, '')).map(({ alert }) => alert)).toEqual(['RoomflowUnwatched']);
});

test('the rules for telephones are messages of the API of LiveKit, and lead to the worker of the project', () => {
  const rule = SIPDispatchRuleInfo.fromJson(sipFile('dispatch-rule.json')['dispatchRule'] ?? null);
  const config = readFileSync(join(deployFolder, 'agent.config.ts'), 'utf8');
  expect(rule.rule?.rule.case).toBe('dispatchRuleIndividual');
  expect(rule.roomConfig?.agents.map(({ agentName }) => agentName)).toEqual([/agentName: '([^']+)'/.exec(config)?.[1]]);
  const inbound = SIPInboundTrunkInfo.fromJson(sipFile('inbound-trunk.json')['trunk'] ?? null);
  const outbound = SIPOutboundTrunkInfo.fromJson(sipFile('outbound-trunk.json')['trunk'] ?? null);
  expect(inbound.allowedAddresses).not.toEqual([]);
  expect(inbound.numbers).toEqual(outbound.numbers);
});

test('each deployment of Kubernetes starts, is probed and stops as its service of the compose file', () => {
  const [stack] = stacks();
  const documents = parseAllDocuments(readFileSync(join(deployFolder, 'kubernetes.yaml'), 'utf8'));
  const deployments = documents
    .map((each) => each.toJS() as Deployment) // This project's own file.
    .filter(({ kind }) => kind === 'Deployment');
  const built = Object.entries(stack?.services ?? {}).filter(([, { build }]) => build !== undefined);
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(built.map(([name]) => name));
  const config = readFileSync(join(deployFolder, 'agent.config.ts'), 'utf8');
  const drain = Number(/drainTimeoutMs: ([\d_]+)/.exec(config)?.[1]?.replaceAll('_', '')) / 1000;
  for (const { metadata, spec } of deployments) {
    const service = stack?.services[metadata.name];
    const { containers, terminationGracePeriodSeconds = 30 } = spec.template.spec;
    const probed = JSON.stringify(service?.healthcheck ?? {}).match(/127\.0\.0\.1:(\d+)(\/\w*)/);
    for (const { command, ports = [], readinessProbe } of containers) {
      expect(command).toEqual(service?.command);
      expect(ports.map(({ containerPort }) => String(containerPort))).toEqual(probed === null ? [] : [probed[1]]);
      expect(readinessProbe?.httpGet.path).toBe(probed?.[2]);
      const host = readinessProbe?.httpGet.httpHeaders?.find(({ name }) => name === 'Host')?.value;
      if (metadata.name === 'serve') expect(config).toContain(`hosts: ['${host}'`);
    }
    if (metadata.name === 'worker') expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 20);
  }
});

const deployFolder = join(projectFolder, 'examples/deploy');

interface Deployment {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: { readonly terminationGracePeriodSeconds?: number; readonly containers: readonly Container[] };
    };
  };
}

interface Container {
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly readinessProbe?: {
    readonly httpGet: { readonly path: string; readonly httpHeaders?: readonly { name: string; value: string }[] };
  };
}

/** A message of LiveKit's API as JSON. */
type Message = Parameters<typeof SIPDispatchRuleInfo.fromJson>[0];

function sipFile(name: string): Readonly<Record<string, Message>> {
  return JSON.parse(readFileSync(join(deployFolder, 'sip', name), 'utf8')) as Readonly<Record<string, Message>>; // Our own.
}

const secrets = {
  LIVEKIT_API_KEY: 'devkey',
  LIVEKIT_API_SECRET: 'secret-of-thirty-two-characters-x',
  POSTGRES_PASSWORD: 'database',
  METRICS_TOKEN: 'token-of-prometheus',
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Scrape {
  readonly scrape_configs: readonly { readonly static_configs: readonly { readonly targets: readonly string[] }[] }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

function manifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest; // This project's own.
}

function readRules(file: string): { readonly rules: readonly Rule[] } {
  const { groups } = parse(readFileSync(file, 'utf8')) as { readonly groups: readonly { rules: readonly Rule[] }[] };
  return { rules: groups.flatMap(({ rules }) => rules) };
}

/** A folder as the image has it, with this package in place of what npm would install. */
function imageOf(context: string): string {
  const folder = folderOf({});
  for (const step of stepsOf(context))
    if ('copy' in step) copyInto(folder, [...copiedBy(step.copy, context).values()].flat(), context);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(projectFolder, join(folder, 'node_modules/roomflow'), 'dir');
  return folder;
}

/** A LiveKit server that refuses each key. */
async function refusingServer(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'unauthenticated', msg: 'no' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo; // It listens at a port.
  return `ws://127.0.0.1:${port}`;
}

interface Run {
  /** All that it wrote, once it is over. */
  readonly over: Promise<string>;
  /** The first group of a pattern in what it writes. */
  line(form: RegExp): Promise<string>;
}

function start(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Run {
  const [program = '', ...args] = words;
  const { PATH = '' } = process.env;
  const child: ChildProcess = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { PATH, ...env },
  });
  let text = '';
  const watching = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const look of watching) look();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const over = new Promise<string>((resolve) => child.once('close', () => resolve(text)));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await over;
  });
  return {
    over,
    line: (form) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const [, found] = form.exec(text) ?? [];
          if (found !== undefined) resolve(found);
        };
        watching.add(look);
        look();
        void over.then(() => reject(new Error(text)));
      }),
  };
}

/** What Prometheus gets for one of its targets. */
async function scraped(port: string, host: string): Promise<{ readonly status: number; readonly text: string }> {
  const { get } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${secrets.METRICS_TOKEN}` };
    get({ port, path: '/metrics', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).on('error', reject);
  });
}

/** Whether a rule holds for the values of one scrape; a rate over one scrape is nothing, so that rules on rates do not. */
function isFiring(expr: string, text: string): boolean {
  const [, absent] = /^absent\((\w+)\)$/.exec(expr) ?? [];
  const values = (name: string): readonly number[] =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))].map(([, value]) => Number(value));
  if (absent !== undefined) return values(absent).length === 0;
  const [, name = '', limit = ''] = /max(?: by \(\w+\) )?\((\w+)(?:\{[^}]*\})?\).*> (\d+)/.exec(expr) ?? [];
  return name !== '' && values(name).some((value) => value > Number(limit));
}
