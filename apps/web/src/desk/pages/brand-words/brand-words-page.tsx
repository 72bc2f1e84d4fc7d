import { type Locale, languages, locales } from '@candela/contract/languages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import filters from '../../components/filters.module.css';
import { brandQuery, brandsQuery } from './queries.ts';
import { wordsOf } from './word.ts';
import { WordEditor } from './word-editor.tsx';
import { WordList } from './word-list.tsx';
import { WordsHistory } from './words-history.tsx';

interface WordsProps {
  brandId: string;
  locale: Locale;
}

/** The words of one brand in one language. */
const Words = ({ brandId, locale }: WordsProps) => {
  const { data: brand, error, isFetching, refetch } = useQuery(brandQuery(brandId, locale));
  const [chosen, setChosen] = useState<string>();
  if (!brand && error instanceof ApiError)
    return <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!brand) return <Skeleton heights={[120, 220]} />;
  const words = wordsOf(brand, locale);
  const word = words.find(({ key }) => key === chosen);
  const onChoose = (key: string) => {
    setChosen(key);
    focusSoon(() => document.querySelector<HTMLElement>('[data-section=word] h2'));
  };
  return (
    <>
      <WordList words={words} locale={locale} chosen={chosen} onChoose={onChoose} />
      {word && <WordEditor key={word.key} brand={brand} locale={locale} word={word} words={words} />}
      <WordsHistory brand={brand.id} version={brand.version} />
    </>
  );
};

/** What brands say, and what they are to say. */
export const BrandWordsPage = () => {
  const { t } = useTranslation('desk');
  const onScreen = useLocale();
  const { data, error, isFetching, refetch } = useQuery(brandsQuery);
  const [brandChosen, setBrand] = useState<string>();
  const [localeChosen, setLocale] = useState<Locale>();
  const brand = brandChosen ?? data?.items[0]?.id;
  const locale = localeChosen ?? onScreen;
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.words.title')} />
        <p className={prose.lead}>{t('desk.words.text')}</p>
      </div>
      {data && (
        <div className={filters.filters}>
          <label className={filters.filter}>
            {t('desk.words.brand')}
            <select value={brand} onChange={({ target }) => setBrand(target.value)}>
              {data.items.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className={filters.filter}>
            {t('desk.words.language')}
            <select
              value={locale}
              onChange={({ target }) => setLocale(locales.find((one) => one === target.value))}
            >
              {locales.map((one) => (
                <option key={one} value={one} lang={one}>
                  {languages[one].name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {brand !== undefined && <Words key={`${brand} ${locale}`} brandId={brand} locale={locale} />}
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[120, 220]} />}
    </div>
  );
};
