import type { JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { bindingReferences, resolveBinding } from '../expression/binding.ts';
import type { DocumentPath } from '../document/problems/diagnostic.ts';
import { slotParameter } from '../graph/compile/record.ts';
import type { Graph, GraphFunction, GraphNode, GraphSlot, NodeCall } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import type { Registered } from '../graph/compile/registered.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { schemaCheck } from '../graph/schema-check.ts';
import { knownSlots } from './known-slots.ts';
import { nearNames } from './near-names.ts';
import { placeOf } from './place.ts';

/** Reports node calls that cannot be made, and nodes that could make a call they leave to the model. */
export function checkNodeCalls(report: Report, graph: Graph, sources: NodeSources, registered: Registered): void {
  for (const { id, path } of sources.values()) {
    const node = graph.nodes.get(id);
    if (node?.call == null) continue;
    const offered = offeredBy(graph, node, node.call.function);
    if (offered === null) {
      const names = [...node.functions, ...graph.functions].map(({ name }) => name);
      const fact = `node "${id}" calls "${node.call.function}", which it does not offer.`;
      const hint = nearNames(names)(node.call.function) ?? 'List it under functions.';
      addProblem(report, 'error', 'unknown-call', [...path, 'call'], fact, { hint });
    } else checkInput(report, graph, node.call, offered, path);
  }
  proposeCalls(report, graph, sources, registered);
}

function checkInput(report: Report, graph: Graph, call: NodeCall, offered: GraphFunction, path: DocumentPath): void {
  const properties = propertiesOf(offered);
  const names = Object.keys(properties);
  for (const [name, binding] of Object.entries(call.input)) {
    const at = [...path, 'input', name];
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) {
      // Parameters declared in code are not known yet.
      if (names.length === 0) continue;
      const hint = nearNames(names)(name) ?? `It takes ${names.join(', ')}.`;
      const fact = `"${offered.name}" has no parameter "${name}".`;
      addProblem(report, 'error', 'unknown-parameter', at, fact, { hint, atKey: true });
    } else if (bindingReferences(binding).length === 0 && isJsonObject(schema)) {
      const [first] = schemaCheck(schema).violations(resolveBinding(binding, () => undefined));
      const fact = first === undefined ? '' : `"${offered.name}" cannot take this "${name}": ${first.message}.`;
      if (fact !== '') addProblem(report, 'error', 'invalid-node-input', at, fact, { hint: 'Change the value.' });
    }
  }
  const required = requiredOf(offered);
  for (const name of names) {
    if (Object.hasOwn(call.input, name)) continue;
    const slot = graph.slots.get(name);
    const schema = properties[name];
    const at = [...path, 'call'];
    if (slot === undefined && required.has(name))
      addProblem(report, 'warning', 'call-left-to-model', at, `nothing gives "${offered.name}" its "${name}".`, {
        hint: `Add it under input, such as ${name}: "{{ name }}"; until it is known the model is asked to call.`,
      });
    const problem = slot === undefined || schema === undefined || !isJsonObject(schema) ? null : misfit(slot, schema);
    if (problem !== null)
      addProblem(
        report,
        'error',
        'invalid-node-input',
        at,
        `"${offered.name}" cannot take slot "${name}": ${problem}.`,
        {
          hint: 'Give the parameter the type of the slot, or bind another value under input.',
        },
      );
  }
}

/** Returns why a parameter does not accept every value of a slot, by type and values; null if it does. */
function misfit(slot: GraphSlot, schema: JsonObject): string | null {
  const { type } = slotParameter(slot);
  const wanted = schema['type'];
  if (
    typeof wanted === 'string' &&
    typeof type === 'string' &&
    wanted !== type &&
    !(wanted === 'number' && type === 'integer')
  )
    return `that is a ${type}, and the parameter a ${wanted}`;
  const allowed = schema['enum'];
  if (slot.values.size === 0 || !Array.isArray(allowed)) return null;
  const beyond = [...slot.values.keys()].find((value) => !allowed.includes(value));
  return beyond === undefined ? null : `its value "${beyond}" is not allowed there`;
}

/** Reports nodes where the model only copies known values into their single function. */
function proposeCalls(report: Report, graph: Graph, sources: NodeSources, { declared }: Registered): void {
  const candidates = [...sources.values()].filter(({ id, source }) => {
    const only = candidateOf(graph.nodes.get(id));
    if (only === null) return false;
    // Parameters of undescribed code are unknown.
    const written = source.functions?.find(({ name }) => name === only.name)?.parameters;
    return written !== undefined || declared?.has(only.handler) === true;
  });
  if (candidates.length === 0) return;
  const known = knownSlots(graph);
  for (const source of candidates) {
    const only = candidateOf(graph.nodes.get(source.id));
    const required = only === null ? [] : [...requiredOf(only)];
    const slots = known.get(source.id);
    // Without arguments there is nothing to copy; the model only decides whether to call.
    if (only === null || slots === undefined || required.length === 0) continue;
    if (required.some((name) => !slots.has(name))) continue;
    const { path, atKey } = placeOf(source);
    const fact = `all that "${only.name}" needs is known in node "${source.id}", and the model is asked to copy it.`;
    const hint = `Add call: ${only.name}, and it is called on entry without the model.`;
    addProblem(report, 'note', 'could-call', path, fact, { hint, atKey });
  }
}

/** Returns a node's single function with code, if the node says and asks nothing before the call. */
function candidateOf(node: GraphNode | undefined): GraphFunction | null {
  if (node === undefined || node.call !== null || node.task !== null || node.end !== null) return null;
  if (node.say !== null || node.collect.length > 0 || !node.respondImmediately) return null;
  const [only, ...others] = node.functions.filter(({ body }) => body === 'tool' || body === 'flow');
  if (only === undefined || others.length > 0) return null;
  // Other functions are either for the answer to its confirmation, or give the model a choice.
  return only.confirm !== null || node.functions.length === 1 ? only : null;
}

function offeredBy(graph: Graph, node: GraphNode, name: string): GraphFunction | null {
  return [...node.functions, ...graph.functions].find((one) => one.name === name) ?? null;
}

function propertiesOf({ parameters }: GraphFunction): JsonObject {
  const properties = parameters['properties'];
  return properties !== undefined && isJsonObject(properties) ? properties : {};
}

function requiredOf({ parameters }: GraphFunction): ReadonlySet<string> {
  const required = parameters['required'];
  return new Set(Array.isArray(required) ? required.map(String) : []);
}
