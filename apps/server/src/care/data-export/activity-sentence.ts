import type { ActivityDetail, ActivityKind, Locale } from '@candela/contract';
import { activityText } from '@candela/contract/rules/activity-text';
import { fillText, type TextCatalog } from '../../branding/brand/brand-texts.ts';

interface Told {
  kind: ActivityKind;
  detail?: ActivityDetail | undefined;
  client?: { id: string; name?: string | undefined } | undefined;
}

/** Writes what happened in the words of the pages; as its kind while the pages are not built. */
export const createActivitySentence = (
  catalog: TextCatalog['pages'],
  locale: Locale,
): ((told: Told) => string) => {
  const texts = catalog?.[locale] ?? {};
  const plural = new Intl.PluralRules(locale);

  return ({ kind, detail, client }) => {
    const { key, values } = activityText({
      kind,
      detail,
      client: client && { name: client.name ?? client.id },
    });
    const form = 'count' in values ? plural.select(values.count) : 'other';
    const text = texts[key] ?? texts[`${key}_${form}`] ?? texts[`${key}_other`];
    const what = text === undefined ? kind : fillText(text, values);
    const named = texts['activity.named'];
    return detail?.name === undefined || named === undefined
      ? what
      : fillText(named, { what, name: detail.name });
  };
};
