import type { CodeWords } from '../codes.ts';

export const codes: CodeWords = {
  alphabet: `
    antonio barcelona carmen dolores enrique francia gerona historia inés josé kilo lorenzo madrid navarra oviedo parís querido ramón sábado
    tarragona ulises valencia washington xiquena yegua zaragoza alfa alpha bravo charlie delta eco echo foxtrot golf hotel india juliett lima
    mike noviembre november oscar papa quebec romeo sierra tango uniforme uniform victor whiskey whisky yankee zulu`,
  letterNames: `
    be: B, ce: C, efe: F, ge: G, hache: H, jota: J, ka: K, ele: L, eme: M, ene: N, pe: P, cu: Q, erre: R, uve: V, uve doble: W, doble u: W, doble uve: W,
    doble ve: W, equis: X, i griega: Y, zeta: Z, x ray: X`,
  doubling: 'doble',
  tripling: 'triple',
  times: 'veces',
  asIn: 'de, como, como en, de la palabra',
  between: 'guion raya menos barra punto espacio subrayado luego mayúscula letra dígito eh',
  joining: 'y',
  oh: '',
  introduction: `
    es, es el, es la, el, la, mi, su, sí, vale, claro, bueno, pues, por favor, gracias, número, código, referencia, reserva, localizador, pedido,
    cliente, contrato, matrícula, expediente, de, tengo, aquí está, pin, id`,
};
