import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { parse } from 'yaml';
import { projectFolder } from '../cli/run-cli.ts';

/** A service of a compose file, as far as this project's files use it. */
export interface Service {
  readonly build?: string;
  readonly command?: readonly string[] | string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface Stack {
  /** The folder of the compose file, from which its paths are meant. */
  readonly folder: string;
  readonly services: Readonly<Record<string, Service>>;
}

/** A step of a Dockerfile that the test can repeat. */
export type Step =
  | { readonly run: string }
  | { readonly copy: readonly string[] }
  | { readonly command: readonly string[] };

/** Every compose file of the repository. */
export function stacks(): readonly Stack[] {
  return filesNamed(/^(docker-)?compose\.ya?ml$/).map((file) => {
    const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as Pick<Stack, 'services'>; // Our own file.
    return { folder: dirname(file), services };
  });
}

/** Every folder that a Dockerfile of the repository builds from. */
export function buildContexts(): readonly string[] {
  return filesNamed(/^Dockerfile/).map((file) => dirname(file));
}

/** The steps of a Dockerfile in their order. */
export function stepsOf(context: string): readonly Step[] {
  const lines = readFileSync(join(context, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, '').split('\n');
  return lines.flatMap((line): readonly Step[] => {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'RUN') return [{ run: rest }];
    if (instruction === 'COPY') return [{ copy: rest.split(/\s+/).slice(0, -1) }];
    if (instruction === 'CMD') return [{ command: JSON.parse(rest) as readonly string[] }];
    return [];
  });
}

/** The files of a build context that `.dockerignore` leaves in. */
export function contextFiles(context: string): readonly string[] {
  const ignoreFile = join(context, '.dockerignore');
  const ignored = existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8').split('\n').filter(Boolean) : [];
  return readdirSync(context, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => statSync(join(context, name)).isFile())
    .filter((name) => !ignored.some((one) => name === one || name.startsWith(`${one}/`)));
}

/** The files that a `COPY` takes from its context for each of its sources. */
export function copiedBy(sources: readonly string[], context: string): ReadonlyMap<string, readonly string[]> {
  const files = new Set(contextFiles(context));
  const taken = (source: string): readonly string[] => {
    if (source === '.') return [...files];
    const form = new RegExp(`^${source.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`);
    return [...files].filter((name) => form.test(name));
  };
  return new Map(sources.map((source) => [source, taken(source)]));
}

/** Copies what a step takes into a folder. */
export function copyInto(folder: string, names: readonly string[], context: string): void {
  for (const name of names) cpSync(join(context, name), join(folder, name));
}

/** A value of a compose file with its variables filled in. Throws if `:?` asks for a missing variable. */
export function interpolated(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{(\w+)(:[-?])?([^}]*)\}/g,
    (_all, name: string, form: string | undefined, rest: string) => {
      const value = env[name];
      if (value !== undefined && value !== '') return value;
      if (form === ':-') return rest;
      throw new Error(`${name} is not set`);
    },
  );
}

function filesNamed(form: RegExp): readonly string[] {
  const folders = ['.', 'examples', 'packages', 'docs', 'test'];
  const found = folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((name) => form.test(basename(name)) && !name.includes('node_modules'))
      .map((name) => join(projectFolder, folder, name)),
  );
  return found.toSorted();
}
