import { relative, dirname } from 'node:path';
import type { Json } from '../../model/json.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import { writeYaml } from '../../flow/load/yaml/write-yaml.ts';
import type { Scenario } from '../document/document.ts';

/**
 * Writes scenarios as a file of tests in the folder of a flow. `about` is its first line. With `flowBy` `name`, the
 * flow is one of the configuration, not a file.
 */
export function testFileOf(
  file: string,
  flow: string,
  about: string,
  scenarios: readonly Scenario[],
  config?: string,
  flowBy: 'file' | 'name' = 'file',
): string {
  const from = (path: string): string => relative(dirname(file), path).replaceAll('\\', '/');
  const document: Json = {
    version: 1,
    flow: flowBy === 'name' ? flow : from(flow),
    ...(config === undefined ? {} : { config: from(config) }),
    scenarios: scenarios.map((one) => snakeKeys(one)),
  };
  return `# ${about}\n${writeYaml(JSON.parse(JSON.stringify(document)) as Json)}`; // Plain data created just before.
}

/** The keys of the format as documents have them. Names that an author chose stay. */
function snakeKeys({ timeZone, wordsPerMinute, rejoinWithin, passK, turns = [], ...rest }: Scenario): Json {
  const named = { timeZone, wordsPerMinute, rejoinWithin, passK };
  const own = Object.fromEntries(Object.entries(named).map(([key, value]) => [snakeCase(key), value]));
  const acts = turns.map(({ callBack, ...turn }) => ({
    ...turn,
    ...(callBack === undefined ? {} : { call_back: callBack }),
  }));
  return { ...rest, ...own, turns: acts } as unknown as Json; // Undefined members are not written.
}
