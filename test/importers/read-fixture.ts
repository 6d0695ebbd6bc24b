import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, 'fixtures');

export const staticFlows = [
  'restaurant-reservation.openai.json',
  'insurance-quote.anthropic.json',
  'patient-intake.gemini.json',
  'food-ordering.flat.json',
];

export const configFlows = ['food-ordering/flow.yaml', 'patient-intake.yaml', 'insurance-quote.yaml'];

/** The plain value of a Pipecat flow, `!include` resolved. */
export function readFixture(name: string): unknown {
  return readYaml(join(folder, name));
}

function readYaml(path: string): unknown {
  const include = { tag: '!include', resolve: (file: string): unknown => readYaml(join(dirname(path), file)) };
  return parse(readFileSync(path, 'utf8'), { customTags: [include] });
}
