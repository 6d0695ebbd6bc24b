import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConfig } from '../../src/cli/flows/sources.ts';
import { createFileChecker } from '../../src/cli/flows/check-files.ts';
import { pretendFor } from '../../src/cli/run/stand-ins.ts';
import { agentOptions } from '../../src/config/config.ts';
import { FlowError } from '../../src/model/errors.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { configAbove } from '../../src/flow/load/files/config-above.ts';
import { openFlow } from '../../src/flow/load/open-flow.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { projectFolder } from '../docs/pages.ts';

/** Codes of functions that `chat` simulates until their code is written. */
const missingCode: ReadonlySet<string> = new Set(['unknown-function', 'unknown-handler']);

const folders = ['examples', 'flows', 'test/fixtures', 'test/importers', 'test/tasks'];

const documents = folders.flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ya?ml|json)$/.test(path) && !/node_modules|\bdist\b|flowtest|test-suite/.test(path)),
);

test('a document that check finds right can be talked to, and one that is wrong is refused by both', async () => {
  expect(documents.length).toBeGreaterThan(60);
  const checkFile = createFileChecker();
  const differ: string[] = [];
  for (const path of documents) {
    const file = join(projectFolder, path);
    const diagnostics = await checkFile(file);
    const wrong = diagnostics.filter(({ severity, code }) => severity === 'error' && !missingCode.has(code));
    const refusal = await talkTo(file);
    const agree = wrong.length === 0 ? refusal === null || refusal === 'a task flow' : refusal === 'flow-invalid';
    if (!agree) differ.push(`${path}: check ${wrong.map(({ code }) => code).join(', ') || 'ok'}, chat ${refusal}`);
  }
  expect(differ).toEqual([]);
}, 120_000);

const configs = new Map<string | undefined, ReturnType<typeof openConfig>>();

/** Begins a conversation as `chat FILE` does. Returns the reason of a refusal, or null. */
async function talkTo(file: string): Promise<string | null> {
  const found = configAbove(file, projectFolder);
  const config = await (configs.get(found) ?? openConfig(found));
  configs.set(found, Promise.resolve(config));
  const session = createTextSession(new OfflineBrain());
  try {
    const flow = (await openFlow(file)) as FlowSource;
    const pretended = await pretendFor([flow], config ?? {});
    const options = agentOptions(config ?? {});
    const runner = createRunner({
      ...options,
      ...{ session, flow, store: 'memory' },
      tools: [...options.tools, ...pretended.tools],
      handlers: { ...options.handlers, ...pretended.handlers },
    });
    await runner.start();
    await runner.stop('test');
    return null;
  } catch (error) {
    // A task flow cannot be talked to.
    if (error instanceof FlowError) return /" is a task flow/.test(error.message) ? 'a task flow' : error.code;
    throw error;
  } finally {
    await session.close();
  }
}
