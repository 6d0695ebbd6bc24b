import { fact, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done, readsBack } from './scene-answers.ts';

const pizzaValues: Scene['values'] = {
  size: [fact('large', 'Large', /\blarge/i), fact('small', 'Small', /\bsmall/i)],
  way: [fact('pickup', 'I will pick it up', /pick/i), fact('delivery', 'Please deliver it', /deliver/i)],
  address: [fact('12 Hill Road', '12 Hill Road', /Hill Road/i), fact('3 Lake Street', '3 Lake Street', /Lake Street/i)],
  shop: [fact('north', 'The north shop', /north/i), fact('south', 'The south shop', /south/i)],
};

/** The route depends on a slot that callers change afterwards. */
export const pizza: Scene = {
  name: 'pizza',
  source: {
    name: 'pizza',
    initialNode: 'start',
    onTrouble: 'desk',
    slots: {
      size: { type: 'enum', values: { large: ['big'], small: ['little'] }, ask: 'Which size would you like?' },
      way: {
        type: 'enum',
        values: { pickup: ['pick it up', 'collect'], delivery: ['deliver'] },
        ask: 'Do you pick it up, or shall we deliver it?',
      },
      address: { type: 'text', ask: 'Where shall we bring it?' },
      shop: { type: 'enum', values: { north: ['northern'], south: ['southern'] }, ask: 'At which shop will you be?' },
    },
    edges: [{ from: 'route', to: 'where', when: { equals: { var: 'route.route', value: 'where' } } }],
    nodes: {
      start: { collect: ['size', 'way'], defaultTransition: 'route' },
      route: {
        type: 'control.switch',
        input: { value: '{{ way }}', cases: [{ when: { equals: { var: 'way', value: 'delivery' } }, route: 'where' }] },
        defaultTransition: 'shop',
      },
      where: { collect: ['address'], defaultTransition: 'order_delivery' },
      shop: { collect: ['shop'], defaultTransition: 'order_pickup' },
      order_delivery: {
        call: 'deliver',
        functions: [
          {
            name: 'deliver',
            description: 'Order it for delivery.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { size: { type: 'string' }, way: { type: 'string' }, address: { type: 'string' } },
              required: ['size', 'way', 'address'],
            },
            confirm: 'A {{ size }} pizza for {{ way }} to {{ address }}. Shall I order it?',
            onRefuse: 'left',
            transitionTo: 'ordered',
          },
        ],
      },
      order_pickup: {
        call: 'prepare',
        functions: [
          {
            name: 'prepare',
            description: 'Order it for pickup.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: { size: { type: 'string' }, way: { type: 'string' }, shop: { type: 'string' } },
              required: ['size', 'way', 'shop'],
            },
            confirm: 'A {{ size }} pizza for {{ way }} at the {{ shop }} shop. Shall I order it?',
            onRefuse: 'left',
            transitionTo: 'ordered',
          },
        ],
      },
      ordered: { say: 'It is ordered. Goodbye.', end: 'ordered' },
      left: { say: 'Then I leave it. Goodbye.', end: 'left' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['deliver', 'prepare']),
  values: pizzaValues,
  answers: [
    agrees(/shall I order/i, ['size', 'way'], english),
    readsBack(/right\?|correct\?/i, pizzaValues, english),
    tells(/which size/i, 'size'),
    tells(/pick it up, or/i, 'way'),
    tells(/where shall we bring/i, 'address'),
    tells(/which shop/i, 'shop'),
  ],
  echo: 'Then order it for my wife.',
  question: 'How long does it take?',
  decides: ['way'],
  staleDecision: (write, { way }) =>
    (write === 'deliver') === (way === 'delivery')
      ? null
      : `${write} with way "${way === 'delivery' ? 'delivery' : 'pickup'}"`,
};
