import type { DoubtWords } from '../doubt.ts';

/** Patterns that retract or doubt a value, without accents. */
export const doubts: DoubtWords = {
  harmless:
    /\b(?:no hay problema|sin problema|no importa|no (?:mas|menos) (?:de|tarde)|(?:si es posible|si puede ser|si se puede|si tiene|si le va bien|si hay sitio)|o asi|por que no)\b/g,
  negation: /\b(?:nunca|jamas|tampoco|nadie|ningun[oa]?|sin|ni)\b|\bno\s+[a-z]|\S\s+no$/,
  other: /\b(?:otr[oa]s?|excepto|salvo|o|u|en vez de|en lugar de|todo menos|dia menos)\b/,
  condition:
    /\bsi (?:no|es|hay|se|me|te|le|el|la|los|las|llueve|puedo|puede|tengo|tiene|viene|vienen|hace|estan?)\b|\ba menos que\b|\bcon tal\b|\bsiempre que\b/,
  restriction: /^(?:pero|excepto|salvo|aunque|o|menos)\b/,
  conjunction: /(?<=\s)(?:y|pero|porque|sino|aunque|excepto|salvo|entonces)(?=\s|$|[,.!?;])/g,
  joining: /^(?:y|ni)\b/,
  statement: /\b(?:yo|soy|somos|es|son|esta|hay|puedo|quiero|prefiero|mejor|el numero|mi|me|nos|seria)\b/,
  person:
    /\bsus? (?:numero|telefono|nombre|correo|direccion)\b|\bde (?:mi|la|el|su|un|una) (?:otr[oa] )?(?:mujer|marido|esposa|esposo|pareja|hij[oa]|madre|padre|herman[oa]|amig[oa]|jef[ea]|vecin[oa]|companer[oa]|conductora?|duen[oa]|paciente)\b|\bdel (?:otro )?(?:conductor|dueno|vecino|paciente|jefe)\b/,
  aboutPerson:
    /\b(?:mujer|marido|esposa|esposo|pareja|hij[oa]|madre|padre|herman[oa]|amig[oa]|nin[oa]|paciente|huesped|conductor|persona|otr[oa])\b/,
  past: /\b(?:viej[oa]|antigu[oa]|antes era|anterior)\b/,
  question: {
    opening:
      /^(?:(?:y|pero|oh|ah|eh|hola|oiga|oye|perdon|perdone|disculpe|entonces)\W+)*(?:(?:abren|cierran|tienen|estan|atienden|trabajan|hacen|sirven|reparan|entregan|cuesta|cuestan)\b|hay\b|(?:esta|estan) (?:abiert|cerrad)|cuant[oa]s?\b|a que hora|cuando (?:abr|cierr|es|esta|empiez)|cual(?:es)?\b|donde\b|por que\b|que (?:dias?|horas?|horario|precio)|es (?:gratis|car[oa]|necesari))/,
    within:
      /\b(?:usted|ustedes|abiert[oa]s?|cerrad[oa]s?|abre|cierra|tiene|esta|es|son|hay|cuesta|vale|hace|atiende|trabaja|que|cual|cuales|cuant[oa]s?|cuando|donde|quien|como)\b|\b(?!tambien\b)[a-z]{3,}(?:an|en)\b/,
    request:
      /\b(?:puedo|podria|podriamos|podemos|se puede|se podria|puede|pueden|podrian)\b.*\b(?:ser|venir|ir|tener|tomar|hacer|reservar|pedir|cambiar|pasar|elegir|quedar|poner(?:me|nos)?|dar(?:me|nos)?|apuntar(?:me|nos)?)\b|\b(?:me|nos) (?:da|dan|pone|ponen|apunta|reserva|va|viene)\b|\b(?:posible|libre|libres|disponible|demasiado (?:tarde|pronto)|(?:le|les|os|te) (?:va|viene|parece)|va bien|esta bien|viene bien|seria|sitio|hueco|cita|mesa|algo)\b|\b(?:que tal|que le parece)\b/,
  },
};
