import type { Locale } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../shell/language/format.ts';
import styles from './brand-words.module.css';
import { inForce, type Word } from './word.ts';

interface PreviewProps {
  text: string;
  locale: Locale;
  brand: string;
  words: readonly Word[];
}

const MINUTES = 5;

/** What stands in the place of a placeholder; one without an example shows its name. */
const exampleOf = (name: string, { locale, brand, words }: Omit<PreviewProps, 'text'>): string => {
  const say = (key: string) => {
    const word = words.find((one) => one.key === `messages.${key}`);
    return word ? inForce(word) : '';
  };
  const form = new Intl.PluralRules(locale).select(MINUTES);
  const soon = () => formatDate(new Date(), locale);
  const link = `${location.origin}/recovery`;
  const examples: Record<string, () => string> = {
    brand: () => brand,
    code: () => '493817',
    minutes: () => String(MINUTES),
    duration: () =>
      (say(`minutes.${form}`) || say('minutes.other')).replaceAll('{{minutes}}', String(MINUTES)),
    purpose: () => say('code.purposes.login'),
    advice: () => say('notice.smsAdvice.password').replaceAll('{{link}}', link),
    link: () => link,
    contact: () => 'a•••@example.com',
    app: () => 'Lamp Studio',
    provider: () => 'Google',
    browser: () => 'Firefox',
    os: () => 'Windows',
    device: () => 'Firefox, Windows',
    count: () => '3',
    time: soon,
    due: soon,
    when: soon,
  };
  return examples[name]?.() ?? `‹${name}›`;
};

/** The text as people read it, with an example in the place of each placeholder. An empty line parts paragraphs. */
export const Preview = ({ text, ...rest }: PreviewProps) => {
  const { t } = useTranslation('desk');
  const filled = text.replaceAll(/{{(.*?)}}/g, (_, name: string) => exampleOf(name, rest));
  return (
    <figure className={styles.preview}>
      <figcaption>{t('desk.words.preview')}</figcaption>
      <div lang={rest.locale} data-preview="">
        {filled.split(/\n{2,}/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </figure>
  );
};
