import type { Draft } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { type Exit, writeRoute } from '../router.ts';
import type { Source } from '../source.ts';
import { noteContinues } from '../unread-keys.ts';
import { plainText, shortly } from '../words.ts';
import { writeCollect } from './collect.ts';
import { slotsIn, whenOfRasa } from './conditions.ts';
import type { Domain } from './domain.ts';

/** Writes steps of flows as nodes. */
export interface Steps {
  /** Returns the first node of a flow. Its nodes are written once, however often it is requested. */
  start(flow: string): string;
  /** Writes everything that was requested. */
  finish(): void;
  /** The slots that some step asks for. */
  readonly asked: ReadonlySet<string>;
}

/** A copy of the nodes of a flow: one on its own, and one for each step that calls it. */
interface Copy {
  readonly flow: string;
  readonly prefix: string;
  /** The target of the end of the flow. */
  readonly exit: string;
  readonly depth: number;
  /** The nodes of steps that have ids. */
  readonly ids: Map<string, string>;
}

const deepest = 6;

export function createSteps(draft: Draft, domain: Domain, flows: ReadonlyMap<string, Source>, again: string): Steps {
  const asked = new Set<string>();
  const starts = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const isSlot = (name: string): boolean => domain.slots.has(name);

  const begin = (copy: Copy, id: string): void => {
    const flow = flows.get(copy.flow);
    const steps = flow?.items('steps') ?? [];
    for (const step of everyStep(steps)) {
      const own = step.text('id');
      if (own !== undefined && !copy.ids.has(own)) copy.ids.set(own, draft.id(`${copy.prefix} ${own}`));
    }
    const first = writeSteps(copy, steps);
    if (flow !== undefined) writeRoute(draft, id, [], { onward: first ?? copy.exit, place: flow });
  };
  /** Writes a sequence of steps, from the last to the first. Returns the first node. */
  const writeSteps = (copy: Copy, steps: readonly Source[]): string | undefined => {
    let next: string | undefined;
    for (const step of steps.toReversed()) next = writeStep(copy, step, next ?? copy.exit);
    return next;
  };
  const targetOf = (copy: Copy, target: Source): string | undefined => {
    if (Array.isArray(target.value))
      return writeSteps(
        copy,
        target.value.map((_item, index) => target.at(index)),
      );
    const name = plainText(target.take());
    if (name === 'END') return copy.exit;
    const id = copy.ids.get(name);
    if (id === undefined) draft.notes.lost(target, `a step ${JSON.stringify(shortly(name))} is not in its flow`);
    return id;
  };
  /** Returns the node that a step leads to. It writes a node if conditions decide. */
  const nextOf = (copy: Copy, step: Source, id: string, following: string): string => {
    const next = step.at('next');
    if (next.value === undefined || next.value === null) return following;
    if (!Array.isArray(next.value)) return targetOf(copy, next) ?? following;
    const ways: Exit[] = [];
    let otherwise: string | undefined;
    for (const branch of step.items('next')) {
      if (branch.has('else')) {
        otherwise ??= targetOf(copy, branch.at('else'));
        continue;
      }
      const when = whenOfRasa(draft, branch.at('if').take(), branch.at('if'), isSlot);
      const to = targetOf(copy, branch.at('then'));
      if (to === undefined || when === undefined || when === 'never') continue;
      if (when === 'always') otherwise ??= to;
      else ways.push({ kind: 'when', when, to, place: branch });
    }
    if (ways.length === 0) return otherwise ?? following;
    const decides = draft.id(`${id}_next`);
    writeRoute(draft, decides, ways, { onward: otherwise ?? following, place: step });
    return decides;
  };
  const writeStep = (copy: Copy, step: Source, following: string): string => {
    if (!isRecord(step.value)) return following;
    const own = step.text('id');
    const known = ['collect', 'action', 'call', 'link', 'set_slots', 'noop'].find((key) => step.has(key));
    const kind = known ?? 'noop';
    const what = plainText(step.at(kind).value);
    const id =
      (own === undefined ? undefined : copy.ids.get(own)) ??
      draft.id(`${copy.prefix} ${kind === 'noop' ? 'step' : kind === 'set_slots' ? 'set' : what}`);
    step.at('metadata').take();
    const next = kind === 'link' ? following : nextOf(copy, step, id, following);
    switch (kind) {
      case 'collect':
        asked.add(what);
        step.text('collect');
        writeCollect(draft, domain, step, id, { slot: what, next });
        break;
      case 'action':
        step.text('action');
        writeAction(step, id, what, next);
        break;
      case 'call':
        step.text('call');
        writeCall(copy, step, id, what, next);
        break;
      case 'link':
        step.text('link');
        writeLink(step, id, what);
        break;
      case 'set_slots':
        writeSet(step, id, next);
        break;
      default:
        step.at('noop').take();
        writeRoute(draft, id, [], { onward: next, place: step });
    }
    const keys = Object.keys(step.value).filter((key) => key !== 'id' && key !== 'next' && key !== 'metadata');
    if (known === undefined && keys.length > 0)
      draft.notes.lost(step, `a step is not known by "${keys.join('", "')}": it only leads on`);
    else draft.notes.taken(step, `${`${kind} ${what}`.trim()} is node ${id}`);
    return id;
  };

  const writeAction = (step: Source, id: string, name: string, next: string): void => {
    const line = domain.response(name);
    if (line !== undefined) return draft.node(id, { say: line, listen: false, default_transition: next }, step);
    if (name.startsWith('utter_')) {
      draft.notes.lost(step, `the response ${name} is not in the domain: nothing is said`);
      return writeRoute(draft, id, [], { onward: next, place: step });
    }
    const read = nextConditions(step).flatMap(slotsIn);
    const tool = draft.tool({
      name,
      description: `The custom action ${name}.`,
      effect: 'write',
      sets: Object.fromEntries(
        [...new Set(read)].filter((slot) => domain.slots.has(slot)).map((slot) => [draft.name(slot, 'read'), slot]),
      ),
      notes: [
        'A custom action of Rasa, whose Python code is not imported. The slots that it sets are guessed from the conditions behind it.',
      ],
    });
    for (const slot of read) if (!asked.has(slot)) draft.name(slot, 'set');
    noteContinues(draft, step, name);
    draft.node(
      id,
      { call: tool, functions: [{ name: tool, handler: tool, effect: 'write', transition_to: next }], on_error: next },
      step,
    );
  };

  const writeCall = (copy: Copy, step: Source, id: string, name: string, next: string): void => {
    const flow = flows.get(name);
    if (flow === undefined || step.has('mcp_server')) {
      const server = step.text('mcp_server');
      const mapping = step.at('mapping').take();
      step.at('exit_if').take();
      const outputs = isRecord(mapping) && Array.isArray(mapping['output']) ? mapping['output'].filter(isRecord) : [];
      const sets = Object.fromEntries(
        outputs.map((one) => [
          draft.name(plainText(one['slot']), 'set'),
          plainText(one['value']).replaceAll(/[{}\s]|^result\./g, ''),
        ]),
      );
      const tool = draft.tool({
        name,
        description: `What Rasa calls "${name}".`,
        effect: 'write',
        sets,
        notes: [
          server === undefined
            ? 'A sub-agent, or a flow that is not in the files.'
            : `A tool of the MCP server ${server}.`,
        ],
      });
      draft.notes.changed(step, `call ${name} is a function to write: the files have no such flow`);
      noteContinues(draft, step, name);
      return draft.node(
        id,
        {
          call: tool,
          functions: [{ name: tool, handler: tool, effect: 'write', transition_to: next }],
          on_error: next,
        },
        step,
      );
    }
    if (copy.depth >= deepest) {
      draft.notes.lost(step, `call ${name}: flows that call each other without end were cut off`);
      return writeRoute(draft, id, [], { onward: next, place: step });
    }
    draft.notes.changed(step, `the nodes of flow ${name} stand here once more, and come back`);
    waiting.push(() => begin({ flow: name, prefix: id, exit: next, depth: copy.depth + 1, ids: new Map() }, id));
  };

  const writeLink = (step: Source, id: string, name: string): void => {
    if (name === 'pattern_human_handoff') {
      const line = domain.response('utter_human_handoff');
      draft.notes.changed(step, 'a link to pattern_human_handoff is the end for the reason "transferred"');
      return draft.node(id, { ...(line === undefined ? {} : { say: line }), end: 'transferred' }, step);
    }
    if (flows.has(name)) return writeRoute(draft, id, [], { onward: start(name), place: step });
    draft.notes.lost(step, `a link to ${name}: the flow goes on at ${again}`);
    writeRoute(draft, id, [], { onward: again, place: step });
  };

  const writeSet = (step: Source, id: string, next: string): void => {
    const values = new Map<string, unknown>();
    for (const item of step.items('set_slots'))
      for (const [name, part] of item.members()) {
        const value = part.take();
        if (value === null || value === undefined)
          draft.notes.lost(part, `slot ${name} is not cleared: only code clears one (context.set)`);
        else values.set(draft.name(name, asked.has(name) ? 'read' : 'set'), value);
      }
    if (values.size === 0) return writeRoute(draft, id, [], { onward: next, place: step });
    const keep = {
      name: 'set_values',
      description: 'Keeps these values.',
      parameters: { type: 'object', properties: Object.fromEntries([...values.keys()].map((name) => [name, {}])) },
      transition_to: next,
    };
    draft.node(id, { call: 'set_values', input: Object.fromEntries(values), functions: [keep] }, step);
  };

  const start = (name: string): string => {
    const known = starts.get(name);
    if (known !== undefined) return known;
    const id = draft.id(name);
    starts.set(name, id);
    waiting.push(() => begin({ flow: name, prefix: id, exit: again, depth: 0, ids: new Map() }, id));
    return id;
  };
  return {
    start,
    finish() {
      for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) write();
    },
    asked,
  };
}

/** The conditions after a step. */
function nextConditions(step: Source): readonly unknown[] {
  return step.items('next').map((branch) => branch.at('if').value);
}

/** The steps and all steps in their branches. */
function everyStep(steps: readonly Source[]): readonly Source[] {
  return steps.flatMap((step) => {
    const branches = step
      .items('next')
      .flatMap((branch) => [branch, branch].map((one, index) => one.items(index === 0 ? 'then' : 'else')));
    return [step, ...branches.flatMap(everyStep)];
  });
}
