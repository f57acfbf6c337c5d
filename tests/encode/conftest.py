"""A RoBERTa checkpoint of a few thousand weights, made on the spot."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory):
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    folder = tmp_path_factory.mktemp("tiny-roberta")
    words = [
        "<s>",
        "<pad>",
        "</s>",
        "<unk>",
        "for",
        "each",
        "vertex",
        "v",
        "swap",
        "the",
        "two",
        "elements",
        "x",
        "d",
        "w",
    ]
    words += list("[]()=+;<>0123456789iun")
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="<s>", sep_token="</s>", bos_token="<s>", eos_token="</s>",
        pad_token="<pad>", unk_token="<unk>",
    )  # fmt: skip
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=140, pad_token_id=1, type_vocab_size=1, initializer_range=0.3,
    )  # fmt: skip
    RobertaModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder
