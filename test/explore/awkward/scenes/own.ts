import { english, german } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { account } from './account.ts';
import { generated } from './generated.ts';
import { guided } from './guided.ts';
import { englishInspection } from './inspection-english.ts';
import { frenchInspection } from './inspection-french.ts';
import { germanInspection } from './inspection-german.ts';
import { portugueseInspection } from './inspection-portuguese.ts';
import { spanishInspection } from './inspection-spanish.ts';
import { pizza } from './pizza.ts';
import { release } from './release.ts';
import { signed } from './signed.ts';
import { stay } from './stay.ts';
import { held, table } from './table.ts';

/** Small flows for cases that the shipped flows lack. */
export const ownScenes: readonly Scene[] = [
  englishInspection,
  germanInspection,
  spanishInspection,
  frenchInspection,
  portugueseInspection,
  pizza,
  stay,
  release('release', 'en', english),
  release('release in German', 'de', german),
  generated,
  signed,
  table,
  held,
  guided,
  account,
];
