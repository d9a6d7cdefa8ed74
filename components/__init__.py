"""What pages are made of. Streamlit lives here and in pages, nowhere else."""
