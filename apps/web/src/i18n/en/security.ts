import { callerDigits } from './caller-digits.ts';
import { leaving } from './leaving.ts';
import { links } from './links.ts';
import { secondFactor } from './second-factor.ts';
import { ways } from './ways.ts';

/** Ways to sign in, the second step, how a person leaves, and what links tell. */
export const security = { ways, secondFactor, leaving, links, callerDigits };
