import type { CodeWords } from '../codes.ts';

export const codes: CodeWords = {
  alphabet: `
    aveiro braga coimbra dafundo évora faro guarda horta itália josé kilograma lisboa maria nazaré ovar porto queluz rossio setúbal tavira
    unidade vidago waldemar xavier york zulmira alfa alpha bravo charlie delta eco echo foxtrot golfe golf hotel índia juliett quilo kilo lima
    mike novembro november oscar papa quebec romeu romeo sierra tango uniforme uniform victor whisky whiskey yankee zulu`,
  letterNames: `
    efe: F, agá: H, jota: J, cá: K, eme: M, ene: N, erre: R, dábliu: W, dáblio: W, dábliú: W, duplo v: W, xis: X, ípsilon: Y, i grego: Y, zê: Z, x ray: X`,
  doubling: 'duplo dobro dupla',
  tripling: 'triplo tripla',
  times: 'vezes',
  asIn: 'de, como, como em',
  between: 'hífen traço menos barra ponto espaço sublinhado depois maiúscula letra dígito eh',
  joining: 'e',
  oh: '',
  introduction: `
    é, é o, é a, o código é, o número é, a referência é, a reserva é, o meu, a minha, meu, minha, sim, está bem, tá, ok, bom, por favor, obrigado,
    obrigada, número, código, referência, reserva, pedido, cliente, contrato, matrícula, placa, processo, de, tenho, pin, id`,
};
