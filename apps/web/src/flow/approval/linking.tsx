import type { ClientSummary } from '@candela/contract';
import type { LinkTarget } from '@candela/contract/rules/link-targets';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';

/** Platforms that ask for a button with the word by which people approve other apps. */
const allowing: readonly LinkTarget[] = ['smartthings'];

/** The text of the button that approves an app. */
export const agreeText = ({ linksTo }: Pick<ClientSummary, 'linksTo'>) =>
  linksTo && !allowing.includes(linksTo) ? 'consent.linking.agree' : 'consent.allow';

/** Says who an account is linked to by an app that links homes, and what that lets it do. */
export const Linking = ({
  client: { linksTo, name },
}: {
  client: Pick<ClientSummary, 'linksTo' | 'name'>;
}) => {
  const { t } = useTranslation();
  if (!linksTo) return null;
  const platform = linksTo === 'app' ? name : t(`consent.linking.platforms.${linksTo}`);
  return (
    <div>
      <p>{t('consent.linking.account', { brand: boot.brand.name, platform })}</p>
      <p>{t('consent.linking.control', { platform })}</p>
    </div>
  );
};
