import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** The same graphs in LangGraph JS, each created anew and run to its end. */
export interface LangGraph {
  readonly version: string;
  chain(length: number): unknown;
  fan(width: number): unknown;
  waits(times: readonly number[]): unknown;
  /** Returns the number of executed nodes. */
  run(graph: unknown): Promise<number>;
}

const folder = join(import.meta.dirname, 'langgraph');

/** Loads LangGraph JS from a separate package. Installs it if it is missing, because only this bench needs it. */
export async function openLangGraph(): Promise<LangGraph> {
  const manifest = join(folder, 'node_modules/@langchain/langgraph/package.json');
  const locked = versionIn(join(folder, 'package-lock.json'), 'node_modules/@langchain/langgraph');
  if (!existsSync(manifest) || versionIn(manifest) !== locked) install();
  // It would send traces to a service if the environment says so.
  process.env['LANGSMITH_TRACING'] = 'false';
  process.env['LANGCHAIN_TRACING_V2'] = 'false';
  const graphs = (await import(pathToFileURL(join(folder, 'graphs.mjs')).href)) as Omit<LangGraph, 'version'>;
  return { ...graphs, version: locked };
}

function install(): void {
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`LangGraph could not be installed: ${stderr}`);
}

function versionIn(file: string, part?: string): string {
  const content = JSON.parse(readFileSync(file, 'utf8')) as {
    version: string;
    packages?: Record<string, { version: string }>;
  };
  return (part === undefined ? content : content.packages?.[part])?.version ?? '';
}
