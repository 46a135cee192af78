export { LoadingHome as default } from "#components/loading-pages.tsx";
