import type { LanguageTexts } from '../texts.ts';
import { callerDigits } from './caller-digits.ts';
import { leaving } from './leaving.ts';
import { links } from './links.ts';
import { secondFactor } from './second-factor.ts';
import { ways } from './ways.ts';

export const security: LanguageTexts['security'] = { ways, secondFactor, leaving, links, callerDigits };
