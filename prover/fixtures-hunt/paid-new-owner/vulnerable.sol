// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Pieces {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    address private maker = msg.sender;
    uint256 private count;

    function create(address to) external returns (uint256 id) {
        require(msg.sender == maker);
        id = count++;
        ownerOf[id] = to;
        balanceOf[to]++;
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && (msg.sender == from || isApprovedForAll[from][msg.sender]));
        ownerOf[id] = to;
        balanceOf[from]--;
        balanceOf[to]++;
    }
}

contract Gallery {
    Pieces public immutable pieces;
    mapping(uint256 => uint256) public prices;

    constructor() {
        pieces = new Pieces();
        for (uint256 i = 0; i < 4; i++) pieces.create(msg.sender);
    }

    function list(uint256 price, uint256 id) external {
        require(price > 0 && pieces.ownerOf(id) == msg.sender);
        prices[id] = price;
    }

    function buy(uint256 id) external payable {
        uint256 price = prices[id];
        require(price > 0 && msg.value == price);
        prices[id] = 0;
        pieces.transferFrom(pieces.ownerOf(id), msg.sender, id);
        (bool ok,) = pieces.ownerOf(id).call{value: price}("");
        require(ok);
    }
}
