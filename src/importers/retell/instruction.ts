import { plainText } from '../words.ts';
import type { Draft } from '../draft.ts';
import type { Exit } from '../router.ts';
import type { Source } from '../source.ts';
import { templateText } from '../template.ts';

/** The exits of a node, and its name. */
export interface Exits {
  readonly ways: readonly Exit[];
  readonly onward: string | undefined;
  readonly about: { readonly description?: string };
}

/** A fixed line or a prompt, depending on the instruction of a node. */
export function instructionOf(draft: Draft, source: Source): { readonly say?: string; readonly prompt?: string } {
  const instruction = source.at('instruction');
  if (typeof instruction.value === 'string' && instruction.value.trim() !== '')
    return { prompt: templateText(draft, plainText(instruction.take()), instruction) };
  const text = instruction.text('text') ?? instruction.text('prompt');
  const type = instruction.text('type');
  if (text === undefined) return {};
  const ours = templateText(draft, text, instruction);
  if (type !== 'static_text') return { prompt: ours };
  if (/\{%.*?%\}/s.test(text)) return { prompt: `Say this to the caller: ${ours}` };
  return { say: ours };
}
