export { LoadingDelivery as default } from "#components/shell/loading-pages.tsx";
