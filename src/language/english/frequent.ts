import { wordSet } from './words.ts';

/** Words that nearly every English text of some length has, and hardly any other has several of. */
export const FREQUENT = wordSet(`
  the and is are was my your you we it that this of to for with have would like please what which who how when where can could may shall
  does not yes from at i i'm it's i'd there here be want need me sorry`);
