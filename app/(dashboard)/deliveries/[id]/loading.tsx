export { LoadingDelivery as default } from "#components/loading-pages.tsx";
