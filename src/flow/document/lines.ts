import { z } from 'zod';
import { spokenTextSchema } from './spoken-text.ts';

const line = (what: string): z.ZodOptional<typeof spokenTextSchema> => spokenTextSchema.optional().describe(what);

/** The built-in lines of a flow, in its author's words. */
export const linesSchema = z
  .strictObject({
    again: line('Words were not understood, and nothing is known of the question.'),
    againQuestion: line('Words were not understood; {{ question }} is put again.'),
    instead: line('What was asked about is refused, and nothing else follows from that.'),
    goOn: line('Nothing is open that the caller could answer.'),
    stillThere: line('Nobody has spoken; {{ question }} is put again.'),
    neededAnyway: line('The caller would not answer {{ question }}.'),
    putAgain: line('Something else was answered; {{ question }} is put again.'),
    stillWaiting: line('Somebody outside of the call is still waited for.'),
    readBack: line('Asks whether {{ value }} is right.'),
    yesOrNo: line('Yes or no would answer {{ question }}.'),
    youCanSay: line('{{ choices }} would answer {{ question }}.'),
    youCanSayBriefly: line('A few words would answer {{ question }}.'),
    endUnheard: line('The call ends, for nobody was heard.'),
    endNotUnderstood: line('The call ends, for nobody was understood.'),
    endFailed: line('The call ends, for something has failed.'),
    failedHere: line('Something has failed, and another flow goes on.'),
    recap: line(
      'Another process has taken the call over; a second wording, for a caller who was away and is told the news.',
    ),
    deaf: line('The caller cannot be heard at all.'),
    takeYourTime: line('The caller has asked for time.'),
    working: line('A function, a task or a generator has worked for four seconds, or for ten after a line.'),
  })
  .meta({ id: 'Lines', description: 'The built-in lines of a flow, in its author’s words.' });

export type LinesDocument = z.output<typeof linesSchema>;
