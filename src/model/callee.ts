/**
 * Signs in the first words of an answered telephone. `away`: the person is not there, which a person may say as well. `hello`:
 * the words begin with a greeting, as those of a machine may. `person`: words that only a person says.
 */
export const calleeSigns = ['voicemail', 'away', 'screener', 'menu', 'hold', 'hello', 'person'] as const;
export type CalleeSign = (typeof calleeSigns)[number];

/** The first words of an answered telephone as rules read them. */
export interface CalleeWords {
  readonly signs: readonly CalleeSign[];
  /** Number of words, without hesitations. */
  readonly words: number;
}

/** The verdict of LiveKit's answering machine detection, if the session of the call runs it. */
export type AnswerVerdict = 'human' | 'machine-ivr' | 'machine-vm' | 'machine-unavailable';

/**
 * The person or machine that answered a call of the agent's side. `screener`: an assistant that asks who is calling. `menu`: a system
 * that asks for keys. `hold`: a queue, or a screener that puts the call through. `nobody`: the line stayed silent.
 */
export type Answerer = 'person' | 'voicemail' | 'screener' | 'menu' | 'hold' | 'nobody';

/** Why rules decided who answered. `words`: typical words. `long`: more than a person says at once. */
export type AnswerReason = 'words' | 'short' | 'long' | 'second-words' | 'no-reaction' | 'silence' | 'detector';
