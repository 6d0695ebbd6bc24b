import type { CodeWords } from '../codes.ts';

export const codes: CodeWords = {
  alphabet: `
    anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula quelle richard samuel siegfried
    theodor ulrich viktor wilhelm xanthippe ypsilon zacharias zeppelin aachen berlin chemnitz düsseldorf essen frankfurt goslar hamburg
    ingelheim jena köln leipzig münchen nürnberg offenbach potsdam quickborn rostock salzwedel tübingen unna völklingen wuppertal xanten zwickau
    alpha alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform
    victor whiskey whisky yankee zulu`,
  letterNames: 'zett: Z, vau: V, jott: J, jot: J, ix: X, x ray: X',
  doubling: 'doppel doppelt zweimal',
  tripling: 'dreifach dreimal',
  times: 'mal',
  asIn: 'wie, wie in, für, von',
  between:
    'bindestrich strich minus schrägstrich punkt leerzeichen unterstrich dann großes großer groß buchstabe ziffer äh ähm',
  joining: 'und',
  oh: 'oh',
  introduction: `
    es ist, das ist, ist, die, das, der, mein, meine, ihre, lautet, ja, genau, okay, ok, gut, also, bitte, danke, nummer, code, kennung, buchung,
    buchungsnummer, buchungscode, kundennummer, bestellnummer, auftragsnummer, vertragsnummer, mitgliedsnummer, kennzeichen, aktenzeichen, pin, id,
    ich habe, hier ist, und`,
};
