export function keepYoungGenerationSmall(): void;
export function collector(): () => void;
