import { heardOf } from '../../kernel/dialogue/heard.ts';

/** Whether a caller had heard what is asked: the numbers and choices that the question names, and most of its words. */
export function wasPut(question: string, heard: string | null, choices: readonly string[]): boolean {
  const named = (): readonly string[] => [
    ...(question.match(/\p{N}+/gu) ?? []),
    ...choices.filter((choice) => question.toLowerCase().includes(choice.toLowerCase())),
  ];
  return heard !== null && heardOf(question, heard, named).heard === 'heard';
}
