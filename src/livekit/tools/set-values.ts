import { FlowError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { parsePath } from '../../flow/expression/path.ts';
import { toJson } from '../../engine/calls/plain-json.ts';
import type { Engine } from '../../engine/engine.ts';

/** The values that one attempt of a function has set so far. */
export interface SetValues {
  set(name: string, value: unknown): void;
  /** Values by name; undefined if none were set. */
  readonly values: JsonObject | undefined;
}

/** Collects the values that code sets, until the function succeeds. Throws `name-invalid` and `value-too-large`. */
export function createSetValues({ graph, limits }: Pick<Engine, 'graph' | 'limits'>): SetValues {
  const values = new Map<string, Json>();
  const refusal = (name: string): string | null => {
    if (parsePath(name)?.length !== 1) return 'is not a name that templates and conditions can read';
    if (graph.input.has(name)) return 'is an input of the flow, which is given from outside';
    const node = graph.nodes.get(name);
    return node?.task == null && node?.interrupt == null ? null : 'is the output of a node';
  };
  return {
    set(name, value) {
      const why = refusal(name);
      if (why !== null) throw new FlowError('name-invalid', `set: "${name}" ${why}. Choose another name.`);
      const json = toJson(value);
      const total = Buffer.byteLength(JSON.stringify([...values, [name, json]]));
      if (total > limits.resultBytes)
        throw new FlowError(
          'value-too-large',
          `set: "${name}" makes what this call sets larger than ${limits.resultBytes} bytes. Keep less, or raise limits.resultBytes.`,
        );
      values.set(name, json);
    },
    get values() {
      return values.size === 0 ? undefined : Object.fromEntries(values);
    },
  };
}
