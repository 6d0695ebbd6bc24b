import type { Draft } from '../draft.ts';
import type { DraftSpoken } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Source } from '../source.ts';
import type { ParameterNames } from './names.ts';

/** The messages of a fulfillment, and whether the conversation ends with them. */
export interface Messages {
  readonly say?: DraftSpoken;
  readonly end?: string;
  /** The number that the caller is put through to, if the end is a transfer. */
  readonly number?: string;
}

/** The languages of an agent: its own, and those of its other texts. */
export interface AgentLanguages {
  readonly own: string;
  readonly others: Set<string>;
}

/** Reads the messages of a fulfillment, by language if there are several. */
export function readMessages(
  draft: Draft,
  names: ParameterNames,
  messages: readonly Source[],
  languages: AgentLanguages,
): Messages {
  const lines = new Map<string, (readonly string[])[]>();
  let end: string | undefined;
  let number: string | undefined;
  for (const message of messages) {
    const language = message.text('languageCode') ?? languages.own;
    const variants = variantsOf(message);
    if (variants.length > 0) {
      const said = variants.map((text) => names.text(text, message));
      lines.set(language, [...(lines.get(language) ?? []), said]);
      if (language !== languages.own) languages.others.add(language);
    }
    if (isRecord(message.at('liveAgentHandoff').value)) end = 'transferred';
    const transfer = message.at('telephonyTransferCall');
    if (isRecord(transfer.value)) {
      number = transfer.text('phoneNumber');
      end = 'transferred';
    }
    if (isRecord(message.at('endInteraction').value)) end ??= 'ended';
    for (const key of ['payload', 'playAudio', 'mixedAudio', 'conversationSuccess', 'knowledgeInfoCard', 'toolCall'])
      if (message.at(key).take() !== undefined) draft.notes.lost(message.at(key), `"${key}" of a message`);
    message.take();
  }
  const own = lines.get(languages.own);
  const isAlone = lines.size === 1 && own !== undefined;
  const say = isAlone
    ? together(own)
    : Object.fromEntries([...lines].map(([language, each]) => [language, together(each)]));
  return {
    ...(lines.size === 0 ? {} : { say }),
    ...(end === undefined ? {} : { end }),
    ...(number === undefined ? {} : { number }),
  };
}

function variantsOf(message: Source): readonly string[] {
  const texts = message.at('text').at('text').value;
  const listed = Array.isArray(texts)
    ? texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    : [];
  if (listed.length > 0) return listed;
  const audio = message.at('outputAudioText');
  const spoken =
    audio.text('text') ??
    audio
      .text('ssml')
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return spoken === undefined || spoken === '' ? [] : [spoken];
}

/** Several messages are said one after the other. If one has several wordings, the result has several too. */
function together(lines: readonly (readonly string[])[]): string | readonly string[] {
  const count = Math.min(10, Math.max(...lines.map((variants) => variants.length)));
  const wordings = Array.from({ length: count }, (_each, index) =>
    lines.map((variants) => variants[index % variants.length] ?? '').join(' '),
  );
  const [only] = wordings;
  return wordings.length === 1 && only !== undefined ? only : [...new Set(wordings)];
}
