import { plainText } from './words.ts';
import type { PathSegment } from '../flow/document/problems/diagnostic.ts';
import { importDialogflow } from './dialogflow/agent.ts';
import type { Drafted } from './draft.ts';
import type { ImportNote } from './notes.ts';
import { importPipecatEditor, isOfPipecatEditor } from './pipecat/pipecat-editor.ts';
import { importPipecat } from './pipecat/pipecat-flow.ts';
import { fromPipecat } from './pipecat/pipecat.ts';
import { importRasa } from './rasa/flows.ts';
import { importRetellFlow } from './retell/flow.ts';
import { importRetellLlm } from './retell/llm.ts';
import { isRecord } from './pipecat/rewrite.ts';
import { createReading, type ForeignFile, type SourceDocument, type Source, type SourcePlace } from './source.ts';
import { importVapiAssistant, importVapiSquad } from './vapi/squad.ts';
import { importVapiWorkflow } from './vapi/workflow.ts';

/** The products whose flows can be imported. */
export const foreignProducts = ['pipecat', 'retell', 'vapi', 'rasa', 'dialogflow'] as const;
export type ForeignProduct = (typeof foreignProducts)[number];

/** The result of a conversion, or why there is none. */
export type Conversion =
  | { readonly ok: true; readonly product: ForeignProduct; readonly what: string; readonly drafted: Drafted }
  | { readonly ok: false; readonly place: SourcePlace; readonly message: string; readonly hint: string };

/**
 * Converts the files of another product to a document of ours. `asked` names the product if the files do not show it.
 * Never throws.
 */
export function convertForeign(files: readonly ForeignFile[], asked?: ForeignProduct): Conversion {
  const found = convertAs(files, asked);
  if (!found.ok || asked === undefined) return found;
  // With the wrong product, most of the document would be lost, and the flow of what is left would look complete.
  const guessed = convertAs(files);
  if (!guessed.ok || guessed.product === asked) return found;
  const [first] = files;
  const note: ImportNote = {
    ...{ kind: 'lost', file: first?.name ?? '', path: [], more: 0 },
    text: `it looks like ${guessed.what}: --from ${guessed.product} reads it as one`,
  };
  return { ...found, drafted: { ...found.drafted, notes: [note, ...found.drafted.notes] } };
}

function convertAs(files: readonly ForeignFile[], asked?: ForeignProduct): Conversion {
  const reading = createReading();
  const roots = files.map((file) => unwrapped(reading.root(file)));
  for (const { product, what, tells, importer } of projects) {
    if ((asked !== undefined && asked !== product) || !tells(roots)) continue;
    return { ok: true, product, what, drafted: importer(roots, reading) };
  }
  for (const root of roots) {
    const found = formats.find(
      ({ product, tells }) => (asked === undefined || asked === product) && tells(root, asked),
    );
    if (found === undefined) continue;
    const { product, what, importer } = found;
    return { ok: true, product, what, drafted: importer(root, reading) };
  }
  const [first] = files;
  const place = { file: first?.name ?? '', path: [] };
  const incomplete = roots.map(incompleteOf).find((each) => each !== undefined);
  if (incomplete !== undefined) return { ok: false, place, ...incomplete };
  const whose = asked === undefined ? 'a product whose flows can be imported' : asked;
  return {
    ok: false,
    place,
    message: `this is not a document of ${whose}.`,
    hint: 'Give an export of a flow of Pipecat, Retell, Vapi, Rasa or Dialogflow CX; --from names the product if the files do not show it.',
  };
}

interface Format {
  readonly product: ForeignProduct;
  /** With its article. */
  readonly what: string;
  readonly tells: (root: Source, asked?: ForeignProduct) => boolean;
  readonly importer: (root: Source, reading: SourceDocument) => Drafted;
}

/** Products whose flows have several files. */
const projects: readonly {
  readonly product: ForeignProduct;
  readonly what: string;
  readonly tells: (roots: readonly Source[]) => boolean;
  readonly importer: (roots: readonly Source[], reading: SourceDocument) => Drafted;
}[] = [
  {
    product: 'dialogflow',
    what: 'an agent of Dialogflow CX',
    tells: (roots) =>
      roots.some(
        ({ file, value }) =>
          /(?:^|\/)agent\.json$/.test(file) &&
          isRecord(value) &&
          ('startFlow' in value || 'defaultLanguageCode' in value),
      ),
    importer: importDialogflow,
  },
  {
    product: 'rasa',
    what: 'a project of Rasa',
    tells: (roots) =>
      roots.some(
        ({ value }) =>
          isRecord(value) &&
          isRecord(value['flows']) &&
          Object.values(value['flows']).some((flow) => isRecord(flow) && Array.isArray(flow['steps'])),
      ),
    importer: (roots, reading) => importRasa(roots.filter(isOfRasa), reading),
  },
];

/** Checks whether a file is one of a Rasa project that describes a conversation. */
function isOfRasa({ value }: Source): boolean {
  return (
    isRecord(value) &&
    ['flows', 'slots', 'responses', 'actions', 'session_config', 'assistant_id', 'recipe'].some((key) =>
      Object.hasOwn(value, key),
    )
  );
}

/** Tried in this order. The first match is used. */
const formats: readonly Format[] = [
  {
    product: 'pipecat',
    what: 'an export of the Pipecat Flows editor',
    tells: isOfPipecatEditor,
    importer: importPipecatEditor,
  },
  {
    product: 'pipecat',
    what: 'a flow of Pipecat',
    // A document that nothing distinguishes from a flow of ours is one of ours, unless `asked` says otherwise.
    tells: (root, asked) => isLoaded(root) && (asked === 'pipecat' || fromPipecat(root.value).format !== 'roomflow'),
    importer: importPipecat,
  },
  {
    product: 'retell',
    what: 'a conversation flow of Retell',
    tells: (root) => isRecord(exactly(root, 'conversationFlow')) || isRetellFlow(root),
    importer: importRetellFlow,
  },
  {
    product: 'retell',
    what: 'an LLM of Retell',
    tells: (root) =>
      isRecord(exactly(root, 'retellLlmData')) ||
      ['general_prompt', 'general_tools', 'starting_state', 'begin_message'].some(
        (key) => exactly(root, key) !== undefined,
      ) ||
      (Array.isArray(root.at('states').value) && !root.has('nodes')),
    importer: importRetellLlm,
  },
  {
    product: 'vapi',
    what: 'a squad of Vapi',
    tells: (root) => someItem(root.at('members').value, (member) => 'assistant' in member || 'assistantId' in member),
    importer: importVapiSquad,
  },
  {
    product: 'vapi',
    what: 'a workflow of Vapi',
    tells: (root) =>
      Array.isArray(root.at('nodes').value) &&
      (Array.isArray(root.at('edges').value) || someItem(root.at('nodes').value, isVapiNode)) &&
      !someItem(root.at('nodes').value, (node) => isRecord(node['data'])),
    importer: importVapiWorkflow,
  },
  {
    product: 'vapi',
    what: 'an assistant of Vapi',
    tells: (root) => {
      const model = root.at('model');
      return (
        (isRecord(model.value) && (model.has('provider') || model.has('messages') || model.has('model'))) ||
        root.has('firstMessage')
      );
    },
    importer: importVapiAssistant,
  },
];

/**
 * Checks whether a document has the parts of a flow that can be loaded without changes: one of Pipecat's, or of ours.
 */
function isLoaded(root: Source): boolean {
  const nodes = root.at('nodes').value;
  return root.has('initial_node') && (isRecord(nodes) || Array.isArray(nodes));
}

/** Products are distinguished by the spelling of their keys. */
function exactly({ value }: Source, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
}

function isRetellFlow(root: Source): boolean {
  const nodes = root.at('nodes').value;
  if (!Array.isArray(nodes)) return false;
  if (
    ['start_node_id', 'global_prompt', 'start_speaker', 'conversation_flow_id'].some(
      (key) => exactly(root, key) !== undefined,
    )
  )
    return true;
  return someItem(
    nodes,
    (node) =>
      isRecord(node['instruction']) ||
      someItem(node['edges'], (edge) => 'transition_condition' in edge || 'destination_node_id' in edge),
  );
}

function isVapiNode(node: Readonly<Record<string, unknown>>): boolean {
  return /^(?:conversation|tool|hangup|say|gather|apirequest|transfer|transfercall|endcall|start)$/i.test(
    plainText(node['type']),
  );
}

function someItem(list: unknown, test: (item: Readonly<Record<string, unknown>>) => boolean): boolean {
  return Array.isArray(list) && list.some((item: unknown) => isRecord(item) && test(item));
}

/** Reports a known document that lacks its other half. */
function incompleteOf(root: Source): { readonly message: string; readonly hint: string } | undefined {
  if (isLoaded(root))
    return {
      message: 'this is a flow of ours, which needs no import.',
      hint: 'Check it: roomflow check FILE. With --from pipecat it is written once more, in our spelling.',
    };
  if (isRecord(root.at('response_engine').value) || root.has('llm_websocket_url'))
    return {
      message: 'this is an agent of Retell without its flow.',
      hint: 'Export its conversation flow or LLM as well, or give the file that holds both.',
    };
  if (
    ['transitionRoutes', 'entryFulfillment', 'nluSettings', 'startFlow'].some((key) => exactly(root, key) !== undefined)
  )
    return {
      message: 'this is a part of an agent of Dialogflow CX.',
      hint: 'Give the whole folder, or the zip archive, that has agent.json in it: export the agent as a JSON package.',
    };
  if (isRecord(root.value) && ['slots', 'responses', 'actions'].filter((key) => root.has(key)).length >= 2)
    return {
      message: 'this is a domain of Rasa, which says nothing of the flows.',
      hint: 'Give the folder of the project, with the file of flows in it.',
    };
  return undefined;
}

const wrappers = ['squad', 'workflow', 'assistant', 'agent', 'data', 'flow'];

/** The answer of an API holds the document under the name of its kind, or as the only item of a list. */
function unwrapped(root: Source): Source {
  let source = root;
  for (let level = 0; level < 3; level += 1) {
    const { value } = source;
    const key: PathSegment | undefined =
      Array.isArray(value) && value.length === 1
        ? 0
        : isRecord(value) && Object.keys(value).length <= 3
          ? wrappers.find((name) => isRecord(value[name]) && !('nodes' in value))
          : undefined;
    if (key === undefined) break;
    source = source.at(key);
  }
  return source;
}
