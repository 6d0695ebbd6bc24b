import { readdir, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { OpenedConfig } from '../config/config.ts';
import { errorKind } from '../model/errors.ts';
import { checkFlow } from '../flow/load/check-flow.ts';
import { openFlow } from '../flow/load/open-flow.ts';
import { flowTexts, foreign } from '../flow/load/files/watch-files.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import type { Clock } from '../model/ports/time.ts';
import { registeredBy } from '../runner/registered-by.ts';

export interface FollowOptions {
  readonly config: OpenedConfig;
  /** A flow file besides those of the configuration; null if there is none. */
  readonly file: string | null;
  readonly clock: Clock;
  /** Called when new sessions must reread the flows, because all files are valid and one has changed. */
  readonly renew: () => void;
  readonly logger: Readonly<
    Record<'info' | 'warn', (fields: Readonly<Record<string, unknown>>, message: string) => void>
  >;
}

/** How often files are checked for changes, in milliseconds. */
const lookEveryMs = 5_000;

/**
 * Watches flow files for long-running processes. When a flow has changed and all can run, new sessions use it, and the log
 * reports it. While a flow is invalid, only the log changes. Flows in code are not reread. Returns a function that stops it.
 */
export function followFlows({ config, file, clock, renew, logger }: FollowOptions): () => void {
  const files = flowFiles(config, file);
  let isOver = false;
  let cancel = (): void => undefined;
  let stamp: string | null = null;
  let hashes: ReadonlyMap<string, string> | null = null;
  const look = async (): Promise<void> => {
    const now = await stampOf(files.map(({ path }) => dirname(path)));
    if (now === stamp) return;
    const isFirst = stamp === null;
    stamp = now;
    const found = await hashesOf(files, config);
    if (isFirst) return void (hashes = found.hashes);
    if (found.broken !== null)
      return logger.warn(
        { event: 'flow:unsound', flow: found.broken },
        'a flow that was changed cannot run: sessions begin in the one before it. See roomflow check.',
      );
    const changed = [...found.hashes].flatMap(([name, hash]) => (hashes?.get(name) === hash ? [] : [name]));
    if (changed.length === 0) return;
    hashes = found.hashes;
    renew();
    for (const flow of changed)
      logger.info({ event: 'flow:renewed', flow }, 'a flow has changed: sessions begin in it from now on');
  };
  const lookAgain = (): void => {
    if (isOver) return;
    cancel = clock.schedule(lookEveryMs, () => {
      look()
        .catch((error: unknown) => logger.warn({ event: 'flow:unread', code: errorKind(error) }, 'clerk'))
        .finally(lookAgain);
    });
  };
  if (files.length > 0)
    look()
      .catch(() => undefined)
      .finally(lookAgain);
  return () => {
    isOver = true;
    cancel();
  };
}

interface FlowFile {
  readonly name: string;
  readonly path: string;
}

function flowFiles({ flows = {} }: OpenedConfig, file: string | null): readonly FlowFile[] {
  const named = Object.entries(flows).flatMap(([name, flow]) =>
    typeof flow === 'string' ? [{ name, path: flow }] : [],
  );
  return [...named, ...(file === null ? [] : [{ name: file, path: file }])]
    .filter(({ path }) => ['.yaml', '.yml', '.json'].includes(extname(path)))
    .map(({ name, path }) => ({ name, path: resolve(path) }));
}

/** Returns the hash of each flow as its file is now, and the name of the first flow that cannot run. */
async function hashesOf(files: readonly FlowFile[], config: OpenedConfig) {
  const registered = await registeredBy(config);
  const hashes = new Map<string, string>();
  let broken: string | null = null;
  for (const { name, path } of files) {
    const { graph, tasks } = checkFlow(await openFlow(path), {
      catalog: config.catalog ?? builtinCatalog,
      ...registered,
    });
    const hash = graph?.hash ?? tasks?.hash;
    if (hash === undefined) broken ??= name;
    else hashes.set(name, hash);
  }
  return { hashes, broken };
}

/** Limits on the number of files and the depth of folders below a flow's folder. */
const mostFiles = 500;
const mostLevels = 3;

/** Returns a stamp that changes with any text in the folders or below, because flows also include other files and prompts. */
async function stampOf(folders: readonly string[]): Promise<string> {
  const found: string[] = [];
  const walk = async (folder: string, level: number): Promise<void> => {
    for (const one of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (found.length >= mostFiles) return;
      const path = join(folder, one.name);
      if (one.isDirectory() && level < mostLevels && !foreign.test(one.name)) await walk(path, level + 1);
      if (!flowTexts.has(extname(one.name))) continue;
      const now = await stat(path).catch(() => null);
      found.push(`${path} ${now?.mtimeMs} ${now?.size}`);
    }
  };
  for (const folder of new Set(folders)) await walk(folder, 1);
  return found.join('\n');
}
