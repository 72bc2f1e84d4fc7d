import * as z from 'zod/mini';
import { locales } from '../languages.ts';

/** A BCP 47 tag of a language that Candela speaks. */
export const Locale = z.enum(locales);
