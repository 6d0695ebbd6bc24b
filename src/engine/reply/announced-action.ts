import type { View } from '../../kernel/state/view.ts';

/** Returns a view that asks the model to do what it announced: "One moment, please." alone leaves the caller waiting. */
export function withAnnouncedAction(view: View, said: string): View {
  const told =
    `You have just said: "${said.replaceAll('"', "'")}" The caller hears nothing until you go on. Do now what you said: call ` +
    'the function, or answer in words. Do not ask for a moment again.';
  return { ...view, knowledge: [view.knowledge, told].filter((text) => text !== '').join('\n\n') };
}

/** Removes the same words from the beginning of a second reply. `between` precedes its remaining words. */
export interface Echo<Piece> {
  take(piece: Piece): readonly Piece[];
  /** Ends the reply. Returns what is held back unless it equals the first words. */
  end(): readonly Piece[];
}

export function createEcho<Piece extends { readonly text: string }>(
  said: string,
  between: readonly Piece[],
): Echo<Piece> {
  let held: Piece[] = [];
  let isOver = false;
  const text = (): string =>
    held
      .map((piece) => piece.text)
      .join('')
      .trim();
  const release = (): readonly Piece[] => {
    const all = held.length === 0 || isOver ? held : [...between, ...held];
    held = [];
    isOver = true;
    return all;
  };
  return {
    take(piece) {
      held.push(piece);
      return isOver || !said.startsWith(text()) ? release() : [];
    },
    end: () => (text() === said ? [] : release()),
  };
}
