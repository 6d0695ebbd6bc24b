import type { CodeWords } from '../codes.ts';

export const codes: CodeWords = {
  alphabet: `
    anatole berthe célestin désiré eugène françois gaston henri irma joseph kléber louis marcel nicolas oscar pierre quintal raoul suzanne
    thérèse ursule victor william xavier yvonne zoé alpha alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november
    papa quebec romeo sierra tango uniform whiskey whisky yankee zulu`,
  letterNames: 'double v: W, double vé: W, i grec: Y, igrec: Y, zède: Z, zed: Z, hache: H, x ray: X',
  doubling: 'double',
  tripling: 'triple',
  times: 'fois',
  asIn: 'comme, comme dans, de',
  between: 'tiret trait moins barre slash point espace underscore puis majuscule lettre chiffre euh',
  joining: 'et',
  oh: 'oh',
  introduction: `
    c'est, c'est le, ce sera, il s'agit de, voici, le, la, mon, ma, votre, est, oui, d'accord, alors, bien, s'il vous plaît, merci, numéro, code,
    référence, réservation, commande, dossier, client, contrat, billet, plaque, immatriculation, de, j'ai, et, pin, id`,
};
