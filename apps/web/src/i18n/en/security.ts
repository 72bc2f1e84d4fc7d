import { leaving } from './leaving.ts';
import { secondFactor } from './second-factor.ts';
import { ways } from './ways.ts';

/** Ways to sign in, the second step, and how a person leaves. */
export const security = { ways, secondFactor, leaving };
