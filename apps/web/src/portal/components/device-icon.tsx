/** An icon for the kind of device. It decorates: the text beside it names the device. */
export const DeviceIcon = ({ platform }: { platform: string }) => {
  const isSmall = /mobile|phone|tablet|android|ios/i.test(platform);
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {isSmall ? (
        <>
          <rect x="7" y="3" width="10" height="18" rx="2.2" />
          <path d="M11 18h2" />
        </>
      ) : (
        <>
          <rect x="4.5" y="5" width="15" height="10.5" rx="1.6" />
          <path d="M2.5 19h19" />
        </>
      )}
    </svg>
  );
};
