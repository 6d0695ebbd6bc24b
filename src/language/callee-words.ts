import type { CalleeSign, CalleeWords } from '../model/callee.ts';
import { withoutAccents } from './tables/folded.ts';

/**
 * Phrases of answering machines, screeners, menus and queues. They hold for a conversation in any language, because a
 * telephone network announces in its own.
 */
const phrases: Readonly<Record<CalleeSign, readonly RegExp[]>> = {
  voicemail: [
    /\bvoice ?mail\b|\b(?:voice message|voice messaging|answering) (?:system|service|machine)\b|\bmail ?box\b|\b(?:after|at|wait for|following) the (?:tone|beep|signal)\b/,
    /\b(?:leave|record) (?:me |us |a |your )+(?:\w+ ){0,2}(?:message|name and number)\b|\b(?:person|number|customer|subscriber) you (?:are|have|were) (?:calling|called|dialed|dialled|trying)\b/,
    /\b(?:i will|i'll|we will|we'll) (?:get back to|call) you (?:back )?(?:as soon as|when|later)\b|\byou(?:'ve| have) reached\b.*\b(?:sorry|unable|can't|cannot|not)\b/,
    /\bmailbox\b|\banrufbeantworter\b|\bnach dem (?:signalton|piepton|ton|piep|signal)\b|\b(?:hinterlassen|hinterlasst|hinterlasse|sprechen|sprich) (?:sie |uns |mir |eine |ihre |deine |bitte |kurze )*(?:nachricht|namen)\b/,
    /\bder (?:gewunschte|angerufene) (?:gesprachspartner|teilnehmer)\b|\brufnummer ist (?:zurzeit|derzeit|momentan) nicht\b|\b(?:ich rufe|wir rufen) (?:sie |dich )?(?:so bald wie moglich |spater )?zuruck\b/,
    /\brepondeur\b|\bmessagerie\b|\bboite vocale\b|\b(?:apres|au) (?:le )?(?:bip|signal|signal sonore)\b|\b(?:laisser|laissez|laisse)(?: moi| nous| le| un| votre)* message\b/,
    /\b(?:je|nous) (?:te |vous )?rappeller\w+ des que\b|\bcorrespondant (?:que vous|n'est pas)\b/,
    /\bbuzon\b|\bcontestador\b|\b(?:despues|tras|luego)(?: de(?:l| la)?)? (?:tono|senal|pitido|bip)\b|\b(?:deje|deja|dejar|dejenos|dejame|dejeme|grabe)(?: su| un| tu| el)* mensaje\b/,
    /\b(?:numero|telefono|abonado|cliente) (?:que|al que) (?:usted )?(?:ha |esta )?(?:marc|llam)\w+\b/,
    /\bcaixa postal\b|\bcorreio de voz\b|\bsecretaria eletronica\b|\b(?:apos|depois d)[oe]? ?o? (?:sinal|bip|tom)\b|\b(?:deixe|deixa|grave|deixar)(?: o| a| a sua| sua| seu| uma| um)* (?:mensagem|recado)\b/,
  ],
  away: [
    /\b(?:can't|cannot|can not|unable to|not able to) (?:come|get|answer|take|talk)\b|\bnot available\b|\bunavailable\b|\bmissed your call\b|\bsorry (?:i|we) missed\b/,
    /\bnicht (?:erreichbar|zu erreichen|verfugbar|ans telefon|da)\b|\bleider nicht\b/,
    /\bpas (?:disponible|joignable|la pour le moment)\b|\bindisponible\b|\babsent\w*\b|\bne (?:peux|peut|pouvons) (?:pas )?(?:repondre|vous repondre|prendre)\b/,
    /\bno (?:esta|estoy|estamos|se encuentra) (?:disponible\w*|en casa)\b|\bno (?:puedo|podemos|puede) (?:atender|contestar|coger)\w*\b/,
    /\bnao (?:esta|estou|estamos) disponive\w*\b|\bnao (?:posso|podemos|pode) atender\b|\bindisponivel\b/,
  ],
  screener: [
    /\b(?:who is|who's|may i ask who|can i ask who|tell me who|say who) (?:this |is |it is )?calling\b|\bwho are you and why\b|\b(?:reason|purpose) (?:for|of) (?:your call|calling|the call)\b|\bwhy you(?:'re| are) calling\b/,
    /\bcall (?:screening|assist|assistant)\b|\b(?:record|state|say) your name(?! and number)\b|\bbefore (?:i|we) (?:try to )?(?:connect|put) you\b|\bscreening (?:service|your call)\b/,
    /\bwer (?:ruft|spricht|ist) (?:denn )?(?:da|an|dort)\b|\bgrund (?:ihres|des|fur ihren|deines) anruf\w*\b|\bweshalb (?:sie|du) (?:anrufen|anrufst)\b|\b(?:nennen|sagen) sie (?:bitte )?ihren namen\b/,
    /\bqui (?:est a l'appareil|appelle)\b|\b(?:motif|raison|objet) de (?:votre|l') ?appel\b|\b(?:dites|indiquez) (?:votre )?nom\b/,
    /\bquien (?:llama|es|habla)\b.*\b(?:motivo|por que)\b|\bde parte de quien\b|\bmotivo de (?:su|la) llamada\b|\bdiga su nombre\b|\bquien llama\b/,
    /\bquem (?:esta ligando|fala|e que fala|deseja)\b|\bmotivo d[ae] (?:sua )?(?:ligacao|chamada)\b|\bdiga (?:o )?seu nome\b/,
  ],
  menu: [
    /\b(?:press|dial|say) (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|the)\b|\bmain menu\b|\bextension\b|\bfollowing options\b/,
    /\b(?:drucken|wahlen) sie (?:bitte )?(?:die )?(?:\d|eins|zwei|drei|vier|funf|null)\b|\bhauptmenu\b/,
    /\b(?:tapez|appuyez sur|faites)(?: la touche| le)? (?:\d|un|deux|trois|quatre|zero|etoile|diese)\b|\bmenu principal\b/,
    /\b(?:pulse|marque|oprima|presione)(?: el| la tecla)? (?:\d|uno|dos|tres|cuatro|cero)\b/,
    /\b(?:digite|tecle|pressione|disque|aperte)(?: o| a tecla)? (?:\d|um|dois|tres|quatro|zero)\b/,
  ],
  hold: [
    /\b(?:please |to )?(?:hold|stay on|remain on)(?: on)?(?: the line|,? please)\b|\bplease hold\b|\byour call is (?:very )?important\b|\b(?:all|our) (?:of our )?(?:agents|operators|lines|representatives) are\b|\b(?:place|position|number) (?:\w+ )?in (?:the )?(?:queue|line)\b/,
    /\b(?:connecting|transferring) (?:you|your call)\b|\bputting you through\b|\bone moment while\b|\bthank(?:s| you) for (?:waiting|holding|your patience)\b/,
    /\b(?:bleiben sie|bitte) (?:bitte )?(?:am apparat|in der leitung|dran|warten)\b|\bwarteschleife\b|\b(?:ich verbinde|sie werden verbunden|wir verbinden)\b|\balle (?:unsere )?(?:mitarbeiter|leitungen|platze)\b|\b(?:danke|dank) fur (?:ihre geduld|ihr warten|das warten)\b/,
    /\b(?:ne quittez pas|restez en ligne|veuillez patienter|merci de patienter|je vous passe|mise en relation|merci d'avoir patiente)\b/,
    /\b(?:permanezca|mantengase|espere|manten\w*) (?:en (?:la )?linea|por favor)\b|\bno cuelgue\b|\b(?:le|te) (?:paso|comunico|transfiero)\b|\bsu llamada es (?:muy )?importante\b|\bgracias por (?:esperar|su espera|su paciencia)\b/,
    /\b(?:aguarde|permaneca|espere|nao desligue)\b(?: na linha| por favor| um momento)?|\bsua (?:ligacao|chamada) e (?:muito )?importante\b|\bvou (?:te |lhe )?transferir\b|\bobrigad[ao] por (?:esperar|aguardar)\b/,
  ],
  hello: [
    /^(?:hello|hi|hey|yes|yeah|good (?:morning|afternoon|evening))\b/,
    /^(?:hallo|ja|guten (?:tag|morgen|abend)|moin|servus|gruss gott)\b/,
    /^(?:allo|oui|bonjour|bonsoir)\b/,
    /^[¿¡\s]*(?:hola|si|diga|digame|bueno|alo|buenos dias|buenas (?:tardes|noches))\b/,
    /^(?:alo|oi|ola|sim|pois nao|bom dia|boa (?:tarde|noite))\b/,
  ],
  person: [
    /\bspeaking[.?!]?$|\bwho is this\b|\bhow (?:can|may) i help\b|\bi'?m (?:here|listening)\b/,
    /\b(?:wer ist da|ich bin (?:da|dran|hier)|was kann ich fur sie tun|wie kann ich (?:ihnen )?helfen)\b/,
    /\bc'est (?:qui|moi)\b|\bje vous ecoute\b|\bje suis la\b|\bque puis-je faire\b/,
    /\bal habla\b|\ben que (?:le |te )?puedo ayudar\w*\b|\b(?:estoy aqui|soy yo)\b/,
    /\be quem fala\b|\bem que posso ajudar\b|\b(?:estou aqui|sou eu)\b/,
  ],
};

/** Reads the first words of an answered telephone. */
export function readCalleeWords(text: string): CalleeWords {
  const plain = withoutAccents(text.slice(0, longest)).trim();
  const signs = (Object.keys(phrases) as CalleeSign[]).filter((sign) => phrases[sign].some((one) => one.test(plain)));
  return { signs, words: wordsIn(plain) };
}

/** Longest greeting that is read, in characters. */
const longest = 4_000;

/** Counts words; in a script without spaces, two characters count as one. */
function wordsIn(plain: string): number {
  const spaced = plain.match(/[\p{L}\d']+/gu) ?? [];
  return spaced.reduce(
    (sum, word) => sum + (/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Thai}/u.test(word) ? Math.ceil(word.length / 2) : 1),
    0,
  );
}
