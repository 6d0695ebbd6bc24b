import type { Json, JsonObject } from '../../model/json.ts';
import type { Engine, FlowTestDocument, Scenario } from './document.ts';
import type { ScenarioToRun } from '../play/run-scenario.ts';

/** The scenarios of a file as they are run: with its defaults, and once for each row of `each`. */
export function expandScenarios(
  { scenarios, defaults = {} }: FlowTestDocument,
  engine: Engine | undefined,
): readonly ScenarioToRun[] {
  const isOnly = scenarios.some(({ only }) => only === true);
  return scenarios.flatMap((written, index): readonly ScenarioToRun[] => {
    if (isOnly && written.only !== true) return [];
    const scenario: Scenario = {
      ...defaults,
      ...written,
      tools: { ...defaults.tools, ...written.tools },
      llm: { ...defaults.llm, ...written.llm },
      schedules: { ...defaults.schedules, ...written.schedules },
    };
    const own = engine ?? scenario.engine ?? (scenario.persona === undefined ? 'scripted' : 'live');
    if (scenario.each === undefined) return [{ scenario, index, name: scenario.name, engine: own }];
    const { each, ...rest } = scenario;
    return each.map((row) => {
      const filled = fill(rest, row);
      const isNamed = filled.name !== rest.name;
      const name = isNamed ? filled.name : `${rest.name} [${Object.values(row).map(textOf).join(', ')}]`;
      return { scenario: filled, index, name, engine: own };
    });
  });
}

/** A reference to a column of `each` in a text. A named group of a regular expression does not count. */
const placeholder = /(?<!\(\?)<(\w+)>/g;

/** The columns that a text refers to. */
export function columnsIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []);
}

/** Replaces `<name>` in the texts of a value. A text that is only a reference becomes the value itself. */
export function fill<Value>(value: Value, row: JsonObject): Value {
  if (typeof value === 'string') {
    const [, whole] = /^<(\w+)>$/.exec(value) ?? [];
    if (whole !== undefined && Object.hasOwn(row, whole)) return row[whole] as Value;
    return value.replaceAll(placeholder, (all, name: string) =>
      Object.hasOwn(row, name) ? textOf(row[name]) : all,
    ) as Value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => fill(one, row)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, row)])) as Value;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
