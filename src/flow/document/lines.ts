import { z } from 'zod';
import { spokenTextSchema } from './spoken-text.ts';

const line = (what: string): z.ZodOptional<typeof spokenTextSchema> => spokenTextSchema.optional().describe(what);

/** The built-in lines of a flow, in its author's words. */
export const linesSchema = z
  .strictObject({
    again: line('Words were not understood, and nothing is known of the question.'),
    againQuestion: line('Words were not understood; {{ question }} is put again.'),
    instead: line('The caller refused, and the flow defines nothing else to do.'),
    goOn: line('Nothing is open that the caller could answer.'),
    stillThere: line('The caller is silent; {{ question }} is put again.'),
    neededAnyway: line('The caller would not answer {{ question }}.'),
    putAgain: line('Something else was answered; {{ question }} is put again.'),
    stillWaiting: line('A decision from outside of the call is still open.'),
    readBack: line('Asks whether {{ value }} is right.'),
    yesOrNo: line('Yes or no would answer {{ question }}.'),
    youCanSay: line('{{ choices }} would answer {{ question }}.'),
    youCanSayBriefly: line('A few words would answer {{ question }}.'),
    endUnheard: line('The call ends, because the caller was not heard.'),
    endNotUnderstood: line('The call ends, because the caller was not understood.'),
    endFailed: line('The call ends, because something has failed.'),
    endLimit: line('The call ends, because it has reached its longest time or its highest cost.'),
    failedHere: line('Something has failed, and another flow goes on.'),
    recap: line(
      'Another process has taken over the call. The second wording is for a caller who was away and now hears the news.',
    ),
    deaf: line('The caller cannot be heard at all.'),
    notPutThrough: line('The caller could not be put through, and the flow defines nothing else to do.'),
    takeYourTime: line('The caller has asked for time.'),
    hello: line('The line of a call that the agent’s side placed is silent.'),
    working: line('A function, a task or a generator has worked for four seconds, or for ten after a line.'),
  })
  .meta({ id: 'Lines', description: 'The built-in lines of a flow, in its author’s words.' });

export type LinesDocument = z.output<typeof linesSchema>;
