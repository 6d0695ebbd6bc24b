import type { Source } from '../source.ts';
import { plainText } from '../words.ts';

/** The files of a Dialogflow CX agent, by their kind. They refer to each other by display names. */
export interface AgentFiles {
  readonly agent: Source;
  readonly flows: readonly FlowFiles[];
  readonly groups: ReadonlyMap<string, Source>;
  readonly intents: ReadonlyMap<string, { readonly intent: Source; readonly phrases: readonly Source[] }>;
  readonly entities: ReadonlyMap<string, { readonly type: Source; readonly values: readonly Source[] }>;
  readonly webhooks: ReadonlyMap<string, Source>;
  /** All other files. */
  readonly others: readonly Source[];
}

export interface FlowFiles {
  readonly name: string;
  readonly flow: Source;
  readonly pages: readonly Source[];
  readonly groups: ReadonlyMap<string, Source>;
}

/** Sorts files by their paths. Returns undefined if none is the agent. */
export function agentFiles(roots: readonly Source[]): AgentFiles | undefined {
  const agent = roots.find(({ file, value }) => /(?:^|\/)agent\.json$/.test(file) && typeof value === 'object');
  if (agent === undefined) return undefined;
  const base = agent.file.slice(0, -'agent.json'.length);
  const flows = new Map<string, { flow: Source | undefined; pages: Source[]; groups: Map<string, Source> }>();
  const intents = new Map<string, { intent: Source; phrases: Source[] }>();
  const entities = new Map<string, { type: Source; values: Source[] }>();
  const [groups, webhooks] = [new Map<string, Source>(), new Map<string, Source>()];
  const loose: { folder: string; source: Source }[] = [];
  const others: Source[] = [];
  for (const root of roots) {
    if (root === agent) continue;
    const [kind = '', folder = '', part = '', ...rest] = root.file.startsWith(base)
      ? root.file.slice(base.length).split('/')
      : [];
    const name = nameOf(root);
    if (kind === 'flows' && folder !== '') {
      const known = flows.get(folder) ?? { flow: undefined, pages: [], groups: new Map<string, Source>() };
      flows.set(folder, known);
      if (part === 'pages') known.pages.push(root);
      else if (part === 'transitionRouteGroups') known.groups.set(name, root);
      else if (rest.length === 0) known.flow = root;
    } else if (kind === 'intents' || kind === 'entityTypes') {
      if (part !== '' && rest.length > 0) loose.push({ folder: `${kind}/${folder}`, source: root });
      else if (kind === 'intents') intents.set(`intents/${folder}`, { intent: root, phrases: [] });
      else entities.set(`entityTypes/${folder}`, { type: root, values: [] });
    } else if (kind === 'webhooks') webhooks.set(name, root);
    else if (kind === 'agentTransitionRouteGroups') groups.set(name, root);
    else others.push(root);
  }
  for (const { folder, source } of loose) {
    if (/\/excludedPhrases\//.test(source.file)) continue;
    intents.get(folder)?.phrases.push(source);
    entities.get(folder)?.values.push(source);
  }
  return {
    agent,
    flows: [...flows.values()].flatMap(({ flow, pages, groups: own }) =>
      flow === undefined ? [] : [{ name: nameOf(flow), flow, pages, groups: own }],
    ),
    groups,
    intents: new Map([...intents.values()].map((one) => [nameOf(one.intent), one])),
    entities: new Map([...entities.values()].map((one) => [nameOf(one.type), one])),
    webhooks,
    others,
  };
}

/** The display name in a file, or else the name of the file. */
export function nameOf(source: Source): string {
  const own = plainText(source.at('displayName').value);
  if (own.trim() !== '') return own.trim();
  const file = (source.file.split('/').at(-1) ?? '').replace(/\.json$/, '');
  return file
    .replaceAll(/%([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .trim();
}
