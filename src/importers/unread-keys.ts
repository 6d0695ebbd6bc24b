import { plainText } from './words.ts';
import type { Draft } from './draft.ts';
import { type SourceDocument, saysSomething, type Source } from './source.ts';

/** Reports every part of a document that no importer has read, by its key. Each key is reported once. */
export function noteUnread(draft: Draft, reading: SourceDocument, ...roots: readonly Source[]): void {
  for (const part of roots.flatMap((root) => reading.unread(root))) {
    const key = part.path.findLast((segment) => typeof segment === 'string') ?? '';
    if (isOfServer(plainText(key))) continue;
    tellWithout(draft, part, key);
  }
}

/** Reports each of these keys that exists as lost. For keys that an importer knows and cannot convert. */
export function noteLost(draft: Draft, holder: Source, keys: readonly string[]): void {
  for (const key of keys) {
    const part = holder.at(key);
    const { value } = part;
    if (!saysSomething(value) || value === false) continue;
    part.take();
    tellWithout(draft, part, key);
  }
}

/** Reports that a key has no counterpart here, and where the same is configured instead. */
function tellWithout(draft: Draft, part: Source, key: string): void {
  const hint = hints.find(([form]) => form.test(plainText(key)))?.[1];
  draft.notes.lost(part, `"${key}" has no counterpart${hint === undefined ? '' : `: ${hint}`}`);
}

/** Reports that the flow continues after a call that has failed, as the foreign flow does. */
export function noteContinues(draft: Draft, part: Source, name: string): void {
  draft.notes.changed(part, `if ${name} fails, the flow goes on as if it had not: write another \`on_error\``);
}

/** Checks whether a key was written by the vendor's server or editor for its own use. */
function isOfServer(key: string): boolean {
  return (
    /^(?:id|org_?id|created_?at|updated_?at|created_?by|updated_?by|version|version_title|is_?published|last_modif\w*|position|coords|zoom|offset\w*|viewport|measured|selected|dragging)$/i.test(
      key,
    ) || key.endsWith('display_position')
  );
}

/** Other places that configure the same here, outside a flow. */
const hints: readonly (readonly [form: RegExp, hint: string])[] = [
  [
    /voice|ambient|backchannel|pronunciation|speed|volume|temperature$/i,
    'voices and models are chosen in agent.config.ts (models)',
  ],
  [/^(?:model|s2s_model|model_choice|llm|provider|model_\w+)$/i, 'the model is chosen in agent.config.ts (models.llm)'],
  [/transcriber|stt|asr|boosted_keywords|denoising|vocab/i, 'recognition is chosen in agent.config.ts (models.stt)'],
  [
    /interruption|responsiveness|startSpeakingPlan|stopSpeakingPlan|turn_?detection/i,
    'when a caller interrupts is decided by the AgentSession',
  ],
  [/knowledge|kb_/i, 'a knowledge base is a function of yours'],
  [/webhook|server(?:Url|Messages)?$|hook/i, 'listen to events of the runner, or follow a store'],
  [
    /analysis|artifact|recording|storage|retention|data_storage|pii/i,
    'the store decides which data of a call is kept; slots may be pii',
  ],
  [/finetune|examples/i, 'write what matters of them into descriptions and prompts'],
  [/voicemail|max_?duration|end_?call|ring|sip/i, 'the telephone is the worker’s'],
];
